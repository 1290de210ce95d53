import { faultAt } from '@uptime/sdk/contract';
import { createHash } from 'node:crypto';
import { invalid } from '../errors.ts';

const markLength = 6;

/** Cursors that are valid only for the same list: the same operation on the same resource. */
export interface ListCursor {
  /** Wraps a cursor for callers. */
  seal(cursor: string): string;
  /** Unwraps a cursor that a caller sent. Throws `invalid_request` for a cursor of another list. */
  open(given: string): string;
}

export function listCursor(list: readonly string[]): ListCursor {
  const mark = () => createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, markLength);
  return {
    seal: (cursor) => mark() + cursor,
    open: (given) => {
      if (given.startsWith(mark())) return given.slice(markLength);
      throw invalid([faultAt('cursor', 'bad_cursor')]);
    },
  };
}
