import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Creates the tables for channels, rules, alerts, the outbox, domains, incidents and maintenance windows. tables.ts
 * describes them.
 */
export const alerts =
  (dialect: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const tools = toolsFor(dialect, db);
    await createRules(tools);
    await createAlerts(tools);
    await createDeliveries(tools);
    await createDomains(tools);
    await createIncidents(tools);
  };

/** Returns the column definitions that the tables share. */
function toolsFor({ columns: type, tableEnd }: Dialect, db: Kysely<unknown>) {
  return {
    type,
    create: (name: string) => db.schema.createTable(name),
    index: (table: string, name: string) => db.schema.createIndex(`${table}_${name}`).on(table),
    required: (column: ColumnDefinitionBuilder) => column.notNull(),
    unique: (column: ColumnDefinitionBuilder) => column.notNull().unique(),
    zero: (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0),
    of: (target: string) => (column: ColumnDefinitionBuilder) =>
      column.notNull().references(target).onDelete('cascade'),
    end: tableEnd(false),
    endKeyed: tableEnd(true),
  };
}

type Tools = ReturnType<typeof toolsFor>;

/** Creates the tables for channels and rules. */
async function createRules({ type, create, index, required, unique, zero, of, end, endKeyed }: Tools): Promise<void> {
  await create('channel')
    .addColumn('seq', type.serial)
    .addColumn('id', type.text, unique)
    .addColumn('project_id', type.text, of('project.id'))
    .addColumn('key', type.text)
    .addColumn('name', type.text, required)
    .addColumn('type', type.text, required)
    .addColumn('config', type.text, required)
    .addColumn('last_sent_at', type.bigInteger)
    .addColumn('last_error', type.text)
    .addColumn('wait_until', type.bigInteger, zero)
    .addColumn('created_at', type.bigInteger, required)
    .addColumn('updated_at', type.bigInteger, required)
    .modifyEnd(end)
    .execute();
  await create('rule')
    .addColumn('seq', type.serial)
    .addColumn('id', type.text, unique)
    .addColumn('project_id', type.text, of('project.id'))
    .addColumn('key', type.text)
    .addColumn('name', type.text, required)
    .addColumn('trigger', type.text, required)
    .addColumn('consecutive_failures', type.integer, required)
    .addColumn('notify_on_recovery', type.integer, required)
    .addColumn('reminder_interval', type.integer)
    .addColumn('enabled', type.integer, required)
    .addColumn('created_at', type.bigInteger, required)
    .addColumn('updated_at', type.bigInteger, required)
    .modifyEnd(end)
    .execute();
  for (const table of ['channel', 'rule']) {
    await index(table, 'project_id').columns(['project_id', 'seq']).execute();
    await index(table, 'key').unique().columns(['project_id', 'key']).where(sql.ref('key'), 'is not', null).execute();
  }

  // These tables link two rows. A link is deleted when one of its two rows is deleted.
  for (const [table, from, to] of [
    ['rule_monitor', 'rule', 'monitor'],
    ['rule_channel', 'rule', 'channel'],
  ] as const) {
    await create(table)
      .addColumn(from, type.bigInteger, of(`${from}.seq`))
      .addColumn(to, type.bigInteger, of(`${to}.seq`))
      .addColumn('position', type.integer, required)
      .addPrimaryKeyConstraint(`${table}_key`, [from, to])
      .modifyEnd(endKeyed)
      .execute();
    await index(table, to).column(to).execute();
  }
}

/** Creates the table for alerts. */
async function createAlerts({ type, create, index, required, unique, of, end }: Tools): Promise<void> {
  await create('alert')
    .addColumn('seq', type.serial)
    .addColumn('id', type.text, unique)
    .addColumn('project_id', type.text, of('project.id'))
    .addColumn('rule', type.bigInteger, required)
    .addColumn('rule_id', type.text, required)
    .addColumn('rule_name', type.text, required)
    .addColumn('monitor', type.bigInteger, required)
    .addColumn('monitor_id', type.text, required)
    .addColumn('monitor_name', type.text, required)
    .addColumn('channel', type.bigInteger, required)
    .addColumn('channel_id', type.text, required)
    .addColumn('channel_name', type.text, required)
    .addColumn('type', type.text, required)
    .addColumn('subject', type.text, required)
    .addColumn('failing_since', type.bigInteger, required)
    .addColumn('triggered_at', type.bigInteger, required)
    .addColumn('resolved_at', type.bigInteger)
    .addColumn('delivery_status', type.text, required)
    .addColumn('error', type.text)
    .addColumn('remind_at', type.bigInteger)
    .modifyEnd(end)
    .execute();
  // A rule reports each fault of a monitor to a channel only once.
  await index('alert', 'fault').unique().columns(['monitor', 'rule', 'channel', 'type', 'subject']).execute();
  await index('alert', 'open').column('monitor').where(sql.ref('resolved_at'), 'is', null).execute();
  await index('alert', 'project_id').columns(['project_id', 'triggered_at', 'seq']).execute();
  await index('alert', 'resolved_at').column('resolved_at').where(sql.ref('resolved_at'), 'is not', null).execute();
  await index('alert', 'remind_at').column('remind_at').where(sql.ref('remind_at'), 'is not', null).execute();
}

/** Creates the outbox, and the table for attempts to send its messages. */
async function createDeliveries({
  type,
  create,
  index,
  required,
  unique,
  zero,
  of,
  end,
  endKeyed,
}: Tools): Promise<void> {
  await create('delivery')
    .addColumn('seq', type.serial)
    .addColumn('id', type.text, unique)
    .addColumn('alert', type.bigInteger, of('alert.seq'))
    .addColumn('channel', type.bigInteger, required)
    .addColumn('lane', type.text, required)
    .addColumn('kind', type.text, required)
    .addColumn('notice', type.text, required)
    .addColumn('status', type.text, required)
    .addColumn('attempts', type.integer, zero)
    .addColumn('tried_since', type.bigInteger)
    .addColumn('next_at', type.bigInteger)
    .addColumn('lease_until', type.bigInteger, zero)
    .addColumn('created_at', type.bigInteger, required)
    .addColumn('finished_at', type.bigInteger)
    .modifyEnd(end)
    .execute();
  await index('delivery', 'alert').columns(['alert', 'seq']).execute();
  await index('delivery', 'due')
    .columns(['channel', 'next_at'])
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .where(sql.ref('next_at'), 'is not', null)
    .execute();
  await index('delivery', 'lane').columns(['lane', 'seq']).where(sql.ref('status'), '=', sql.lit('pending')).execute();

  await index('delivery', 'finished_at').column('finished_at').where(sql.ref('finished_at'), 'is not', null).execute();

  await create('delivery_attempt')
    .addColumn('delivery', type.bigInteger, of('delivery.seq'))
    .addColumn('at', type.bigInteger, required)
    .addColumn('duration_ms', type.bigInteger, required)
    .addColumn('status', type.integer)
    .addColumn('text', type.text, required)
    .addPrimaryKeyConstraint('delivery_attempt_key', ['delivery', 'at'])
    .modifyEnd(endKeyed)
    .execute();
}

/** Creates the table for the registrations of domains. */
async function createDomains({ type, create, index, required, end }: Tools): Promise<void> {
  await create('domain_registration')
    .addColumn('name', type.text, (column) => column.primaryKey().notNull())
    .addColumn('next_at', type.bigInteger, required)
    .addColumn('checked_at', type.bigInteger)
    .addColumn('expires_at', type.bigInteger)
    .addColumn('registrar', type.text)
    .addColumn('error', type.text)
    .modifyEnd(end)
    .execute();
  await index('domain_registration', 'next_at').column('next_at').execute();
}

/** Creates the tables for incidents and maintenance windows. */
async function createIncidents({ type, create, index, required, unique, of, end, endKeyed }: Tools): Promise<void> {
  await create('incident')
    .addColumn('seq', type.serial)
    .addColumn('id', type.text, unique)
    .addColumn('project_id', type.text, of('project.id'))
    .addColumn('title', type.text, required)
    .addColumn('status', type.text, required)
    .addColumn('maintenance', type.integer, required)
    .addColumn('scheduled_start', type.bigInteger)
    .addColumn('scheduled_end', type.bigInteger)
    .addColumn('started_at', type.bigInteger, required)
    .addColumn('resolved_at', type.bigInteger)
    .addColumn('created_at', type.bigInteger, required)
    .addColumn('updated_at', type.bigInteger, required)
    .modifyEnd(end)
    .execute();
  await index('incident', 'project_id').columns(['project_id', 'seq']).execute();
  // This index serves reads of the maintenance windows that are in force or planned.
  await index('incident', 'scheduled_end').column('scheduled_end').where(sql.ref('resolved_at'), 'is', null).execute();
  await create('incident_update')
    .addColumn('seq', type.serial)
    .addColumn('id', type.text, unique)
    .addColumn('incident', type.bigInteger, of('incident.seq'))
    .addColumn('status', type.text, required)
    .addColumn('message', type.text, required)
    .addColumn('created_at', type.bigInteger, required)
    .modifyEnd(end)
    .execute();
  await index('incident_update', 'incident').columns(['incident', 'seq']).execute();
  await create('incident_monitor')
    .addColumn('incident', type.bigInteger, of('incident.seq'))
    .addColumn('monitor', type.bigInteger, of('monitor.seq'))
    .addColumn('position', type.integer, required)
    .addPrimaryKeyConstraint('incident_monitor_key', ['incident', 'monitor'])
    .modifyEnd(endKeyed)
    .execute();
  await index('incident_monitor', 'monitor').column('monitor').execute();
}
