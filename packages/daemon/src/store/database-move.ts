import type { Kysely } from 'kysely';
import type { DatabaseMoveTable, Tables } from './tables.ts';

/**
 * If the command that moves the database gives no sign of life for this time, the move has failed. The daemon then
 * continues with SQLite.
 */
export const moverGoneAfterMs = 15_000;

/** The id of the only row of the table. */
const onlyRow = 1;

/** Returns how far the move of this database has come; undefined if no move began, or if the move was given up. */
export function readMove(db: Kysely<Tables>): Promise<DatabaseMoveTable | undefined> {
  return db.selectFrom('database_move').selectAll().executeTakeFirst();
}

/** Begins a move, or changes the state of the move. Resolves when the new state is stored. */
export async function writeMove(db: Kysely<Tables>, move: Omit<DatabaseMoveTable, 'id'>): Promise<void> {
  await db
    .insertInto('database_move')
    .values({ id: onlyRow, ...move })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(move))
    .execute();
}

/** Records a sign of life of the command that moves the database. */
export async function renewMove(db: Kysely<Tables>, now: number): Promise<void> {
  await db.updateTable('database_move').set({ renewed_at: now }).execute();
}

/** Gives up a move, so that the daemon continues to use this database. */
export async function giveUpMove(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('database_move').execute();
}
