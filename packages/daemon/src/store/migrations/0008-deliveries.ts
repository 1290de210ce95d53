import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds columns for refused attempts and for the end of an alert, and a table for incidents that paging services keep
 * open. See delivery-tables.ts and alert-tables.ts.
 */
export const deliveries =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
    const add = (table: string) => db.schema.alterTable(table);
    await add('delivery').addColumn('refusals', type.integer, zero).execute();
    await add('delivery').addColumn('tried_at', type.bigInteger).execute();
    await add('channel').addColumn('limits', type.integer, zero).execute();
    await add('alert').addColumn('told', type.integer, zero).execute();
    await add('alert').addColumn('end_reason', type.text).execute();
    await sql`update alert set told = 1 where delivery_status = 'sent'`.execute(db);
    // The daemon reads this index whenever a channel works again.
    await db.schema
      .createIndex('alert_untold')
      .on('alert')
      .column('channel')
      .where(sql.ref('resolved_at'), 'is', null)
      .where(sql.ref('delivery_status'), '=', sql.lit('failed'))
      .execute();

    await db.schema
      .createTable('paging_incident')
      .addColumn('seq', type.serial)
      .addColumn('id', type.text, (column) => column.notNull().unique())
      .addColumn('alert', type.bigInteger, required)
      .addColumn('channel_id', type.text, required)
      .addColumn('type', type.text, required)
      .addColumn('config', type.text, required)
      .addColumn('notice', type.text, required)
      .addColumn('certain', type.integer, zero)
      .addColumn('attempts', type.integer, zero)
      .addColumn('refusals', type.integer, zero)
      .addColumn('tried_since', type.bigInteger)
      .addColumn('next_at', type.bigInteger, required)
      .modifyEnd(tableEnd(false))
      .execute();
    await db.schema.createIndex('paging_incident_alert').on('paging_incident').column('alert').execute();
    await sql`
      insert into paging_incident (id, alert, channel_id, type, config, notice, certain, next_at)
      select 'dlv_' || substr(alert.id, 5), alert.seq, channel.id, channel.type, channel.config, delivery.notice, 1, 0
      from alert
      inner join channel on channel.seq = alert.channel
      inner join delivery on delivery.alert = alert.seq
        and delivery.seq = (select min(first.seq) from delivery as first where first.alert = alert.seq and first.kind = 'alarm')
      where alert.told = 1 and alert.resolved_at is null and channel.type in ('pagerduty', 'opsgenie')`.execute(db);
  };
