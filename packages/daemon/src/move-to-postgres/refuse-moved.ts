import { changeMove, moverGoneAfterMs, readMove } from '../store/database-move.ts';
import type { Store } from '../store/store.ts';
import { endAnyWatch, giveUpWatched } from './old-rows.ts';

/**
 * Throws if a daemon must not use this database, because its data was moved away, or because a move to this database is
 * not complete. If the move of a SQLite database was interrupted, gives up the move, and the daemon continues with
 * SQLite. If PostgreSQL is filled, stores there that a daemon uses it, so that no later move replaces its rows.
 */
export async function refuseMoved(store: Store, now: number): Promise<void> {
  const { db } = store;
  const move = await readMove(db);
  if (move?.state === 'filling')
    throw new Error(
      'This PostgreSQL is not filled yet. Run `uptimed migrate-to-postgres` to the end, or start without UPTIME_DATABASE_URL.',
    );
  if (move?.state === 'moved')
    throw new Error(
      'The data of this folder was moved to PostgreSQL. Set UPTIME_DATABASE_URL to the address of that PostgreSQL. ' +
        'To go back to the state before the move, run `uptimed migrate-to-postgres --undo`.',
    );
  if (move?.state === 'filled') {
    if (await changeMove(db, move, { state: 'used' })) return;
    // After this row was read, another node has changed it, or another move has begun.
    return refuseMoved(store, now);
  }
  if (move?.state === 'closing' || move?.state === 'closed') {
    if (now - move.renewed_at < moverGoneAfterMs)
      throw new Error(
        'The data of this folder is being moved to PostgreSQL. Start the daemon again when the move has ended.',
      );
    if (!(await giveUpWatched(store, move.move))) return refuseMoved(store, now);
  }
  // A killed run leaves its triggers behind. A run that still works notices that its triggers are gone, and fails.
  if (store.dialect.exclusive) await endAnyWatch(store);
}
