/** Rows read at once: some milliseconds of work, between which others have their turn. */
export const pageSize = 500;

/**
 * Reads a long list a page at a time, so that neither the event loop nor memory has to hold it whole. `read` answers up
 * to `pageSize` rows after the last one of the page before.
 */
export async function* readPages<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1);
  }
}
