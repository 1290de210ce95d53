import { compareKeys, isSameRow, type Row, type TableShape } from './rows.ts';

/** Changes that make the target equal to the source, and how many rows of the source were compared to find them. */
export interface Differences {
  /** Rows that the target lacks, or has with other values. */
  write: Row[];
  /** Rows that only the target has. */
  remove: Row[];
  compared: number;
}

/** Maximum number of rows in one batch of differences, so that a large table does not fill the memory. */
const maxAtOnce = 5000;

/**
 * Compares the rows of two tables, and yields the differences in batches. Both tables must yield their rows in the
 * order of the key. The last batch may be empty.
 */
export async function* findDifferences(
  shape: TableShape,
  source: AsyncIterable<Row[]>,
  target: AsyncIterable<Row[]>,
): AsyncGenerator<Differences> {
  const [left, right] = [createCursor(source), createCursor(target)];
  let found: Differences = { write: [], remove: [], compared: 0 };
  for (;;) {
    const one = left.current() ?? (await left.load());
    const other = right.current() ?? (await right.load());
    if (one === undefined && other === undefined) break;
    const order = one === undefined ? 1 : other === undefined ? -1 : compareKeys(shape, one, other);
    if (order > 0) found.remove.push(other!);
    else if (order < 0 || !isSameRow(shape, one!, other!)) found.write.push(one!);
    if (order <= 0) {
      found.compared++;
      left.next();
    }
    if (order >= 0) right.next();
    if (found.write.length + found.remove.length >= maxAtOnce) {
      yield found;
      found = { write: [], remove: [], compared: 0 };
    }
  }
  yield found;
}

/**
 * Returns functions that read a table row by row. Only `load` is asynchronous, because it may have to read the next
 * page.
 */
function createCursor(pages: AsyncIterable<Row[]>) {
  const reader = pages[Symbol.asyncIterator]();
  let page: Row[] = [];
  let at = 0;
  return {
    current: (): Row | undefined => page[at],
    next: () => void at++,
    async load(): Promise<Row | undefined> {
      while (at >= page.length) {
        const { done, value } = await reader.next();
        if (done) return undefined;
        [page, at] = [value, 0];
      }
      return page[at];
    },
  };
}
