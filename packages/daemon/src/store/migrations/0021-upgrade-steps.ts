import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Creates the table for the progress of upgrade steps that run while the daemon serves. tables.ts describes it. */
export const upgradeSteps =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('upgrade_step')
      .addColumn('name', type.text, (column) => column.primaryKey().notNull())
      .addColumn('position', type.bigInteger, (column) => column.notNull())
      .addColumn('done', type.integer, (column) => column.notNull())
      .modifyEnd(tableEnd(true))
      .execute();
  };
