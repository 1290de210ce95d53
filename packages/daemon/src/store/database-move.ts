import type { Kysely } from 'kysely';
import type { DatabaseMoveTable, MoveState, Tables } from './tables.ts';

/**
 * If the command that moves the database gives no sign of life for this time, the move has failed. The daemon then
 * continues with SQLite.
 */
export const moverGoneAfterMs = 15_000;

/** The id of the only row of the table. */
const onlyRow = 1;

const openStates: MoveState[] = ['watching', 'closing', 'closed'];

/** Whether the daemon gives up this move if the command gives no sign of life. */
export const isOpen = ({ state }: Pick<Move, 'state'>): boolean => openStates.includes(state);

/** The row without its constant id. */
export type Move = Omit<DatabaseMoveTable, 'id'>;

/** The columns that decide whether the stored move is still the expected one. */
type ExpectedMove = Pick<Move, 'move' | 'state' | 'last_ping'>;

/** Returns how far the move of this database has come; undefined if no move began, or if the move was given up. */
export function readMove(db: Kysely<Tables>): Promise<DatabaseMoveTable | undefined> {
  return db.selectFrom('database_move').selectAll().executeTakeFirst();
}

/** Stores a new move. Resolves with false, and changes nothing, if another move is stored. */
export async function beginMove(db: Kysely<Tables>, move: Move): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('database_move')
    .values({ id: onlyRow, ...move })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Changes the stored move. Resolves with false, and changes nothing, if it is no longer the expected move. */
export async function changeMove(
  db: Kysely<Tables>,
  { move, state, last_ping }: ExpectedMove,
  changes: Partial<Move>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('database_move')
    .set(changes)
    .where('move', 'is not distinct from', move)
    .where('last_ping', 'is not distinct from', last_ping)
    .where('state', '=', state)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/**
 * Records a sign of life of the command that moves the database. Resolves with false if the daemon has given up this
 * move.
 */
export async function renewMove(db: Kysely<Tables>, move: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('database_move')
    .set({ renewed_at: now })
    .where('move', '=', move)
    .where('state', 'in', openStates)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Deletes the row of a move that has not yet asked the daemon to stop its work. */
export async function endWatching(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('database_move').where('state', '=', 'watching').execute();
}

/**
 * Gives up a move, so that the daemon continues to use this database. Resolves with false, and changes nothing, if the
 * move has ended, or if another move has begun.
 */
export async function giveUpMove(db: Kysely<Tables>, move: string | null): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('database_move')
    .where('move', 'is not distinct from', move)
    .where('state', 'in', openStates)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Undoes a move that has ended, so that the daemon uses this SQLite database again. */
export async function undoMove(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('database_move').where('state', '=', 'moved').execute();
}
