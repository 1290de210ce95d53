import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds columns for the sizes of all things that a project stores (see core/stored-size.ts), and for the optional limits
 * of plans.
 */
export const usage =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
    for (const table of ['monitor', 'channel', 'rule', 'status_page', 'incident', 'idempotency']) {
      await db.schema.alterTable(table).addColumn('bytes', type.bigInteger, zero).execute();
    }
    await sql`update monitor set bytes = 200 + octet_length(name) + octet_length(config)`.execute(db);
    await sql`update channel set bytes = 200 + octet_length(name) + octet_length(config)`.execute(db);
    await sql`update rule set bytes = 200 + octet_length(name)
      + 40 * (select count(*) from rule_monitor where rule_monitor.rule = rule.seq)
      + 40 * (select count(*) from rule_channel where rule_channel.rule = rule.seq)`.execute(db);
    await sql`update status_page set bytes = 200 + octet_length(name)
      + 40 * (select count(*) from status_page_monitor where status_page_monitor.page = status_page.seq)`.execute(db);
    await sql`update incident set bytes = 200 + octet_length(title)
      + 40 * (select count(*) from incident_monitor where incident_monitor.incident = incident.seq)
      + coalesce((select sum(200 + octet_length(message)) from incident_update
          where incident_update.incident = incident.seq), 0)`.execute(db);
    // With these two indexes, counts and sums do not read the tables.
    await db.schema.createIndex('monitor_usage').on('monitor').columns(['project_id', 'bytes']).execute();
    await db.schema
      .createIndex('incident_usage')
      .on('incident')
      .columns(['project_id', 'maintenance', 'resolved_at', 'bytes'])
      .execute();

    await db.schema
      .alterTable('plan')
      .addColumn('limits', type.text, (column) => column.notNull().defaultTo('{}'))
      .execute();

    // The format of stored answers has changed. The old rows can be deleted, because an answer is kept for only a day
    // anyway.
    await sql`delete from idempotency`.execute(db);
    await db.schema
      .alterTable('idempotency')
      .addColumn('owner', type.text, (column) => column.notNull().defaultTo(''))
      .execute();
    await db.schema.createIndex('idempotency_owner').on('idempotency').columns(['owner', 'bytes']).execute();
  };
