import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** How far a move from SQLite to PostgreSQL has come; see tables.ts. */
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
