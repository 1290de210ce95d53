import { beginMove, changeMove, moverGoneAfterMs, readMove } from '../store/database-move.ts';
import type { DatabaseMoveTable } from '../store/tables.ts';
import type { MoveOptions } from './migrate-to-postgres.ts';
import { anotherRunsText, MoveError, otherRunText } from './move-error.ts';
import { giveUpWatched } from './old-rows.ts';

export interface Claimed {
  /** Whether an earlier run has moved all data. If so, this run only has to mark PostgreSQL as filled. */
  isMoved: boolean;
  move: string;
  last_ping: number | null;
}

/**
 * Makes PostgreSQL the target of this move. Throws MoveError unless PostgreSQL is empty, or has only data from an
 * earlier attempt to move this installation.
 */
export async function claimTarget(options: MoveOptions, move: string): Promise<Claimed> {
  const { clock, sqlite, postgres, installation } = options;
  // PostgreSQL is read before SQLite, because another run may be ending its move. That run changes the row in
  // PostgreSQL before the row in SQLite. If it does so after this read, `changeMove` below fails.
  const found = await readMove(postgres.db);
  if (found && found.installation !== installation)
    throw new MoveError('This PostgreSQL holds the data of another installation. Name an empty database.');
  const source = await readMove(sqlite.db);
  if (source?.state === 'moved') return confirmable(source, found);
  await giveUpStale(options, source);
  if (found?.state === 'used')
    throw new MoveError(
      'A daemon has used this PostgreSQL since an earlier move, so it may hold later data. Name an empty database.',
    );
  if (!found) {
    const used = await postgres.db.selectFrom('project').select('id').limit(1).executeTakeFirst();
    if (used) throw new MoveError('This PostgreSQL is in use: it has projects. Name an empty database.');
  }
  const claim = { installation, state: 'filling', renewed_at: clock.now(), last_ping: null, move } as const;
  const isClaimed = found ? await changeMove(postgres.db, found, claim) : await beginMove(postgres.db, claim);
  if (!isClaimed) throw new MoveError(otherRunText);
  return { isMoved: false, move, last_ping: null };
}

/**
 * Returns the earlier move, which moved all data but did not mark PostgreSQL as filled. Throws if the data was moved to
 * another PostgreSQL, or if this PostgreSQL is already marked as filled.
 */
function confirmable(source: DatabaseMoveTable, found: DatabaseMoveTable | undefined): Claimed {
  if (!found || source.move !== found.move)
    throw new MoveError(
      'The data of this folder was moved to another PostgreSQL. Run this command with --undo to use the folder again.',
    );
  if (source.move === null || found.state !== 'filling')
    throw new MoveError(
      'This data folder was moved to this PostgreSQL already. Restart the daemon with UPTIME_DATABASE_URL.',
    );
  return { isMoved: true, move: source.move, last_ping: source.last_ping };
}

/** Throws MoveError if a later run has claimed PostgreSQL. */
export async function checkClaim({ postgres }: Pick<MoveOptions, 'postgres'>, move: string): Promise<void> {
  const claimed = await readMove(postgres.db);
  if (claimed?.move !== move || claimed.state !== 'filling') throw new MoveError(otherRunText);
}

/**
 * Gives up the move of an interrupted run that had already asked the daemon to stop its checks. Throws if that run may
 * still be at work. A run that has not asked the daemon yet is replaced later: see begin-watch.ts.
 */
async function giveUpStale({ clock, sqlite }: MoveOptions, source: DatabaseMoveTable | undefined): Promise<void> {
  if (!source || source.state === 'watching') return;
  const isFresh = Math.abs(clock.now() - source.renewed_at) < moverGoneAfterMs;
  if (isFresh || !(await giveUpWatched(sqlite, source.move))) throw new MoveError(anotherRunsText);
}
