import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Creates the tables that only a probe uses: for results on their way to the server, and for values that have to
 * survive a restart.
 */
export const probeResults =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    await db.schema
      .createTable('probe_result')
      // The server recognizes repeated results by this number, so a number is never reused.
      .addColumn('seq', type.serial)
      .addColumn('monitor', type.bigInteger, required)
      .addColumn('verdict', type.text, required)
      .addColumn('result', type.text, required)
      .modifyEnd(tableEnd(false))
      .execute();
    await db.schema
      .createIndex('probe_result_monitor')
      .on('probe_result')
      .columns(['monitor', 'verdict', 'seq'])
      .execute();
    await db.schema
      .createTable('probe_fact')
      .addColumn('name', type.text, (column) => column.primaryKey().notNull())
      .addColumn('value', type.text, required)
      .modifyEnd(tableEnd(false))
      .execute();
  };
