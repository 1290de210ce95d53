import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Creates the table that says which monitors have an imported history, and for what time, so that a second import
 * repeats nothing.
 */
export const importedHistory =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('imported_history')
      .addColumn('monitor', type.bigInteger, (column) =>
        column.primaryKey().notNull().references('monitor.seq').onDelete('cascade'),
      )
      .addColumn('from_at', type.bigInteger, (column) => column.notNull())
      .addColumn('until_at', type.bigInteger, (column) => column.notNull())
      .modifyEnd(tableEnd(true))
      .execute();
  };
