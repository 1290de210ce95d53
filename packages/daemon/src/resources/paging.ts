import { faultAt } from '@uptime/sdk/contract';
import { invalid } from '../errors.ts';

/** The requested part of a list. */
export interface Page {
  /** Maximum number of items on the page; null if the page has all items. */
  limit: number | null;
  /** The position after which the page begins; null for the start of the list. */
  after: [at: number, id: string] | null;
}

/** Reads `limit` and `cursor` of a validated query. Throws `invalid_request` for a cursor that no list returned. */
export function readPage(query: { limit?: string | undefined; cursor?: string | undefined }): Page {
  return {
    limit: query.limit === undefined ? null : Number(query.limit),
    after: query.cursor === undefined ? null : readCursor(query.cursor),
  };
}

/** Returns an opaque cursor, which contains the position of the last item of a page. */
export const cursorOf = (at: number, id = ''): string => Buffer.from(`${at}:${id}`).toString('base64url');

function readCursor(cursor: string): [number, string] {
  const [, at, id] = /^(\d{1,16}):([\w]{0,64})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (at === undefined || id === undefined || cursorOf(Number(at), id) !== cursor) {
    throw invalid([faultAt('cursor', 'bad_cursor')]);
  }
  return [Number(at), id];
}

/**
 * Returns the items of a page. `rows` has one item more than the page if another page follows. In this case, calls
 * `next` with the cursor of the next page.
 */
export function cutPage<T>(rows: T[], page: Page, cursor: (row: T) => string, next: (cursor: string) => void): T[] {
  if (page.limit === null || rows.length <= page.limit) return rows;
  const shown = rows.slice(0, page.limit);
  next(cursor(shown.at(-1)!));
  return shown;
}
