import type { Pages } from './handler.ts';
import { cursorOf, cutPage, readPage } from './paging.ts';

/** Number of rows that are read and sent at a time. */
const maxRowsAtOnce = 200;

/** The creation time and id of the row after which a list continues. Null for the start of the list. */
type Position = [at: number, id: string] | null;

interface Aged {
  id: string;
  created_at: number;
}

interface Asked {
  query: { limit?: string | undefined; cursor?: string | undefined };
  nextPage: (cursor: string) => void;
}

/**
 * Resolves with a list in order of creation: with one page of it if the query asks for a page, otherwise with the whole
 * list in pieces. Each piece is read only after the previous piece was sent. So a long list neither blocks the event
 * loop nor fills the memory. `read` returns up to `maxRows` rows after a position.
 */
export async function listByAge<Row extends Aged, Item>(
  { query, nextPage }: Asked,
  read: (after: Position, maxRows: number) => Promise<Row[]>,
  render: (row: Row) => Item,
): Promise<Item[] | Pages<Item>> {
  const page = readPage(query);
  if (page.limit === null) return pieces(page.after);
  const found = await read(page.after, page.limit + 1);
  return cutPage(found, page, (row) => cursorOf(row.created_at, row.id), nextPage).map(render);

  async function* pieces(from: Position): Pages<Item> {
    for (let after = from, more = true; more;) {
      const rows = await read(after, maxRowsAtOnce);
      if (rows.length > 0) yield rows.map(render);
      const last = rows.at(-1);
      more = last !== undefined && rows.length === maxRowsAtOnce;
      if (last) after = [last.created_at, last.id];
    }
  }
}
