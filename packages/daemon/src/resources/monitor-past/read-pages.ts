/**
 * Maximum number of rows that are read at once. Reading them takes about a millisecond, and other work runs between two
 * pages.
 */
export const maxPageRows = 250;

/**
 * Yields the rows of a long list page by page, so that the list neither blocks the event loop nor fills the memory.
 * `read` returns up to `maxPageRows` rows after the last row of the previous page.
 */
export async function* readPages<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    if (rows.length < maxPageRows) return;
    last = rows.at(-1);
  }
}
