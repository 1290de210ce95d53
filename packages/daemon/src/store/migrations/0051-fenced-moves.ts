import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds the id of a move to PostgreSQL, and a table for old rows that change during the move. tables.ts describes both.
 * An older version did not note whether a daemon has used a filled PostgreSQL. So this migration assumes that a daemon
 * has used it.
 */
export const fencedMoves =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('database_move').addColumn('move', type.text).execute();
    await sql`update database_move set state = 'used' where state = 'filled'`.execute(db);
    await db.schema
      .createTable('move_change')
      .addColumn('name', type.text, (column) => column.notNull())
      .addColumn('monitor', type.bigInteger, (column) => column.notNull())
      .addColumn('period', type.bigInteger, (column) => column.notNull())
      .addPrimaryKeyConstraint('move_change_key', ['name', 'monitor', 'period'])
      .modifyEnd(tableEnd(true))
      .execute();
  };
