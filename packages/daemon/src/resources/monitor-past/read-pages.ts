/** Maximum number of rows read at once. They take some milliseconds, and other work runs between two pages. */
export const pageSize = 500;

/**
 * Reads a long list a page at a time, so that it neither blocks the event loop nor fills the memory. `read` returns up
 * to `pageSize` rows after the last row of the previous page.
 */
export async function* readPages<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1);
  }
}
