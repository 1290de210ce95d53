import { giveUpMove, moverGoneAfterMs, readMove } from '../store/database-move.ts';
import type { Store } from '../store/store.ts';

/**
 * Throws if a daemon must not use this database, because its data was moved away, or because a move to it is not
 * complete. If the move of a SQLite database was interrupted, gives up the move, and the daemon continues with SQLite.
 */
export async function refuseMoved({ db }: Store, now: number): Promise<void> {
  const move = await readMove(db);
  if (!move || move.state === 'filled') return;
  if (move.state === 'filling')
    throw new Error(
      'This PostgreSQL is not filled yet. Run `uptimed migrate-to-postgres` to the end, or start without UPTIME_DATABASE_URL.',
    );
  if (move.state === 'moved')
    throw new Error(
      'The data of this folder was moved to PostgreSQL. Set UPTIME_DATABASE_URL to its address, as you gave it to the ' +
        'move. To go back to the state before the move, run `uptimed migrate-to-postgres --undo`.',
    );
  if (now - move.renewed_at < moverGoneAfterMs)
    throw new Error(
      'The data of this folder is being moved to PostgreSQL. Start the daemon again when that has ended.',
    );
  await giveUpMove(db);
}
