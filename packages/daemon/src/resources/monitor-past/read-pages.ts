/** Rows read at once: some milliseconds of work. Other work runs in between. */
export const pageSize = 500;

/**
 * Reads a long list a page at a time, so that neither the event loop nor the memory has to hold all of it. `read`
 * returns up to `pageSize` rows after the last row of the previous page.
 */
export async function* readPages<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1);
  }
}
