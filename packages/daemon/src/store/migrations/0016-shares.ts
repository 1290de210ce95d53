import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds columns for the project of each scheduled check, and for how the runs of a daemon ended. See monitor-tables.ts
 * and history-tables.ts.
 */
export const shares =
  ({ columns: type, greatest }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('schedule')
      .addColumn('project', type.text, (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(''))
      .execute();
    await sql`update schedule set project = (select project_id from monitor where seq = schedule.monitor)`.execute(db);
    await db.schema.dropIndex('schedule_claimable').execute();
    // The index includes the project. So a query for claims can skip the monitors of a project that has used its share,
    // without reading the table.
    await db.schema
      .createIndex('schedule_claimable')
      .on('schedule')
      .columns(['region'])
      .expression(greatest('next_at', 'lease_until'))
      .columns(['project'])
      .execute();

    await db.schema.alterTable('presence').addColumn('ended_at', type.bigInteger).execute();
    await db.schema
      .alterTable('presence')
      .addColumn('short_runs', type.integer, (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0))
      .execute();
  };
