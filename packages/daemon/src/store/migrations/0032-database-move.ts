import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Creates the table for the progress of a move from SQLite to PostgreSQL. tables.ts describes it. */
export const databaseMove =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('database_move')
      .addColumn('id', type.integer, (column) => column.primaryKey().notNull())
      .addColumn('installation', type.text, (column) => column.notNull())
      .addColumn('state', type.text, (column) => column.notNull())
      .addColumn('renewed_at', type.bigInteger, (column) => column.notNull())
      .addColumn('last_ping', type.bigInteger)
      .modifyEnd(tableEnd(false))
      .execute();
  };
