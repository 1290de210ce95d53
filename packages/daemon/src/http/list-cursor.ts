import { faultAt } from '@uptime/sdk/contract';
import { createHash } from 'node:crypto';
import { invalid } from '../errors.ts';

const markLength = 6;

/** Makes cursors that are valid for only one list, that is for one operation on one resource. */
export interface ListCursor {
  /** Returns the cursor to send to a caller. */
  seal(cursor: string): string;
  /**
   * Gets the sealed cursor that a caller sent, and returns the cursor that `seal` got. Throws `invalid_request` for a
   * cursor of another list.
   */
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
