import { type ColumnDefinitionBuilder, type Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Creates the tables for results in the order of their arrival, before they are counted and moved. history-tables.ts
 * describes them.
 */
export const recentResults =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    await db.schema
      .createTable('result_slot')
      .addColumn('slot', type.bigInteger, (column) => column.primaryKey().notNull())
      .modifyEnd(tableEnd(false))
      .execute();
    await db.schema
      .createTable('recent_result')
      .addColumn('slot', type.bigInteger, required)
      .addColumn('monitor', type.bigInteger, required)
      .addColumn('at', type.bigInteger, required)
      .addColumn('region', type.integer, required)
      .addColumn('code', type.integer, required)
      .addColumn('tenths', type.bigInteger)
      .addPrimaryKeyConstraint('recent_result_key', ['slot', 'monitor', 'at', 'region'])
      .modifyEnd(tableEnd(true))
      .execute();
    await db.schema
      .createTable('result_fold')
      .addColumn('name', type.text, (column) => column.primaryKey().notNull())
      .addColumn('done', type.bigInteger, required)
      .addColumn('target', type.bigInteger, required)
      .addColumn('position', type.bigInteger, required)
      .modifyEnd(tableEnd(false))
      .execute();
  };
