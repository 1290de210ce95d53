import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Creates the table `schedule_change`. On SQLite, the daemon keeps the schedule in memory, and has to know each change
 * of the table `schedule`. Triggers record the changes, so that no code can forget to record one. Triggers also see
 * cascades and the writes of other processes.
 */
export const scheduleChanges =
  ({ columns: type, tableEnd, exclusive }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('schedule_change')
      .addColumn('seq', type.serial)
      .addColumn('monitor', type.bigInteger, (column) => column.notNull())
      .addColumn('region', type.integer, (column) => column.notNull())
      .modifyEnd(tableEnd(false))
      .execute();
    if (!exclusive) return;
    for (const [event, row] of [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ] as const)
      await sql`create trigger ${sql.id(`schedule_${event}`)} after ${sql.raw(event)} on schedule
        begin
          insert into schedule_change (monitor, region) values (${sql.ref(`${row}.monitor`)}, ${sql.ref(`${row}.region`)});
        end`.execute(db);
  };
