/** Some rows of a list, and the number of all rows that passed the filter. */
export interface Collected {
  rows: unknown[];
  total: number;
}

/**
 * Reads all rows page by page, and returns at most `maxRows` rows that pass a filter: the first rows, or with `latest`
 * the last rows in reverse order.
 */
export async function collect(
  source: AsyncIterable<object> | Promise<object | readonly object[]>,
  { maxRows, latest, passes = () => true }: { maxRows: number; latest: boolean; passes?: (row: object) => boolean },
): Promise<Collected> {
  const rows: object[] = [];
  let total = 0;
  for await (const row of Symbol.asyncIterator in source ? source : entriesOf(await source)) {
    if (!passes(row)) continue;
    total += 1;
    if (latest || rows.length < maxRows) rows.push(row);
    if (rows.length > maxRows) rows.shift();
  }
  return { rows: latest ? rows.toReversed() : rows, total };
}

const entriesOf = (answer: object): readonly object[] => (Array.isArray(answer) ? (answer as object[]) : [answer]);
