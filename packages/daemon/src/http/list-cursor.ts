import { createHash } from 'node:crypto';
import { invalid } from '../errors.ts';

const markLength = 6;

/** Cursors that only one list takes back: the one of this operation, of these things. */
export interface ListCursor {
  /** A cursor as callers see it. */
  seal(cursor: string): string;
  /** The cursor inside; throws `invalid_request` for one of another list. */
  open(given: string): string;
}

export function listCursor(list: readonly string[]): ListCursor {
  const mark = () => createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, markLength);
  return {
    seal: (cursor) => mark() + cursor,
    open: (given) => {
      if (given.startsWith(mark())) return given.slice(markLength);
      throw invalid([{ path: 'cursor', message: 'must be a cursor from the Link header of this list' }]);
    },
  };
}
