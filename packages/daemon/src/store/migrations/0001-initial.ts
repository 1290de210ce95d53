import { type ColumnDefinitionBuilder, type Expression, type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Creates all tables of the first release. tables.ts describes them. */
export const initial =
  (dialect: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const tools = toolsFor(dialect, db);
    await createMonitors(tools);
    await createStates(tools);
    await createSchedule(tools);
    await createResults(tools);
    await createCounts(tools);
    await createOutages(tools);
    await createPings(tools);
  };

/** Returns the column definitions that the tables share. */
function toolsFor({ columns: type, tableEnd, greatest }: Dialect, db: Kysely<unknown>) {
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  const key = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull();
  const unique = (column: ColumnDefinitionBuilder) => column.notNull().unique();
  const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
  // Rows of configuration are deleted with their monitor. Results are not, because one statement would delete a million
  // results. recording/purge-deleted.ts deletes them in batches.
  const ofMonitor = (column: ColumnDefinitionBuilder) => column.notNull().references('monitor.seq').onDelete('cascade');
  return {
    type,
    greatest,
    create: (name: string) => db.schema.createTable(name),
    end: (table: Endable) => table.modifyEnd(tableEnd(false)).execute(),
    endKeyed: (table: Endable) => table.modifyEnd(tableEnd(true)).execute(),
    index: (table: string, name: string) => db.schema.createIndex(`${table}_${name}`).on(table),
    required,
    key,
    unique,
    zero,
    ofMonitor,
  };
}

type Tools = ReturnType<typeof toolsFor>;

/** Creates the tables of projects and monitors. */
async function createMonitors({ type, create, end, index, required, key, unique }: Tools): Promise<void> {
  await end(
    create('project')
      .addColumn('id', type.text, key)
      .addColumn('user_id', type.text, required)
      .addColumn('name', type.text, required)
      .addColumn('api_key', type.text, unique)
      .addColumn('created_at', type.bigInteger, required)
      .addColumn('updated_at', type.bigInteger, required),
  );
  await index('project', 'user_id').columns(['user_id', 'id']).execute();

  await end(
    create('monitor')
      .addColumn('seq', type.serial)
      .addColumn('id', type.text, unique)
      .addColumn('project_id', type.text, (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('key', type.text)
      .addColumn('name', type.text, required)
      .addColumn('type', type.text, required)
      .addColumn('config', type.text, required)
      .addColumn('generation', type.integer, required)
      .addColumn('token', type.text, (column) => column.unique())
      .addColumn('created_at', type.bigInteger, required)
      .addColumn('updated_at', type.bigInteger, required),
  );
  await index('monitor', 'project_id').columns(['project_id', 'seq']).execute();
  await index('monitor', 'key').unique().columns(['project_id', 'key']).where('key', 'is not', null).execute();
}

/** Creates the table with the present state of each monitor. */
async function createStates({ type, create, end, index, required, key, zero, ofMonitor }: Tools): Promise<void> {
  await end(
    create('monitor_state')
      .addColumn('monitor', type.bigInteger, (column) => ofMonitor(key(column)))
      .addColumn('status', type.text, required)
      .addColumn('since', type.bigInteger, required)
      .addColumn('failures', type.integer, zero)
      .addColumn('failing_since', type.bigInteger)
      .addColumn('regions', type.text, required)
      .addColumn('error_code', type.text)
      .addColumn('error_message', type.text)
      .addColumn('last_checked_at', type.bigInteger)
      .addColumn('last_ping_at', type.bigInteger)
      .addColumn('run_started_at', type.bigInteger)
      .addColumn('patience', type.bigInteger)
      .addColumn('ping_due_at', type.bigInteger)
      .addColumn('silence_review_at', type.bigInteger)
      .addColumn('watched_since', type.bigInteger, required)
      .addColumn('blind_since', type.bigInteger)
      .addColumn('accounted_until', type.bigInteger, required)
      .addColumn('certificate', type.text)
      .addColumn('domain', type.text)
      .addColumn('expiry_review_at', type.bigInteger),
  );
  await index('monitor_state', 'silence_review_at')
    .column('silence_review_at')
    .where('silence_review_at', 'is not', null)
    .execute();
  await index('monitor_state', 'expiry_review_at')
    .column('expiry_review_at')
    .where('expiry_review_at', 'is not', null)
    .execute();
  await index('monitor_state', 'domain').column('domain').where('domain', 'is not', null).execute();
}

/** Creates the tables that say when each region checks each monitor. */
async function createSchedule({
  type,
  create,
  end,
  endKeyed,
  index,
  required,
  unique,
  zero,
  ofMonitor,
  greatest,
}: Tools): Promise<void> {
  await endKeyed(
    create('schedule')
      .addColumn('monitor', type.bigInteger, ofMonitor)
      .addColumn('region', type.integer, required)
      .addColumn('next_at', type.bigInteger, required)
      .addColumn('lease_until', type.bigInteger, zero)
      .addPrimaryKeyConstraint('schedule_key', ['monitor', 'region']),
  );
  // The index is ordered by the time at which a row can be claimed next, so that claimed rows come after due rows.
  await index('schedule', 'claimable').columns(['region']).expression(greatest('next_at', 'lease_until')).execute();

  await end(
    create('region')
      .addColumn('id', type.serial)
      .addColumn('name', type.text, unique)
      .addColumn('seen_at', type.bigInteger, required),
  );
}

/** Creates the tables for the results of checks. */
async function createResults({ type, create, endKeyed, required }: Tools): Promise<void> {
  await endKeyed(
    create('result')
      .addColumn('monitor', type.bigInteger, required)
      .addColumn('at', type.bigInteger, required)
      .addColumn('region', type.integer, required)
      .addColumn('code', type.integer, required)
      .addColumn('tenths', type.bigInteger)
      .addPrimaryKeyConstraint('result_key', ['monitor', 'at', 'region']),
  );
  // The key of this table begins with the time, and so do the keys of the hourly counts below. So the rows of one
  // commit for many monitors are close together on a few pages.
  await endKeyed(
    create('result_detail')
      .addColumn('monitor', type.bigInteger, required)
      .addColumn('at', type.bigInteger, required)
      .addColumn('region', type.integer, required)
      .addColumn('error_message', type.text)
      .addColumn('timings', type.text)
      .addPrimaryKeyConstraint('result_detail_key', ['at', 'monitor', 'region']),
  );
}

/** Creates the tables with hourly and daily counts, from which statistics are read. */
async function createCounts({ type, create, endKeyed, required, zero }: Tools): Promise<void> {
  await endKeyed(
    create('check_hour')
      .addColumn('monitor', type.bigInteger, required)
      .addColumn('hour', type.integer, required)
      .addColumn('region', type.integer, required)
      .addColumn('checks', type.integer, zero)
      .addColumn('failed', type.integer, zero)
      .addColumn('tenths_sum', type.bigInteger, zero)
      .addPrimaryKeyConstraint('check_hour_key', ['hour', 'monitor', 'region']),
  );
  await endKeyed(
    create('response_histogram')
      .addColumn('monitor', type.bigInteger, required)
      .addColumn('hour', type.integer, required)
      .addColumn('bucket', type.integer, required)
      .addColumn('count', type.integer, zero)
      .addColumn('tenths_sum', type.bigInteger, zero)
      .addPrimaryKeyConstraint('response_histogram_key', ['hour', 'monitor', 'bucket']),
  );
  for (const name of ['observed_hour', 'observed_day']) {
    await endKeyed(
      create(name)
        .addColumn('monitor', type.bigInteger, required)
        .addColumn('period', type.integer, required)
        .addColumn('up_ms', type.bigInteger, zero)
        .addColumn('down_ms', type.bigInteger, zero)
        .addColumn('maintenance_ms', type.bigInteger, zero)
        .addPrimaryKeyConstraint(`${name}_key`, ['monitor', 'period']),
    );
  }
}

/** Creates the tables for changes of status and for outages. */
async function createOutages({ type, create, end, index, required, key }: Tools): Promise<void> {
  await end(
    create('status_change')
      .addColumn('id', type.counter)
      .addColumn('monitor', type.bigInteger, required)
      .addColumn('at', type.bigInteger, required)
      .addColumn('from_status', type.text, required)
      .addColumn('to_status', type.text, required)
      .addColumn('error_code', type.text)
      .addColumn('error_message', type.text),
  );
  await index('status_change', 'monitor').columns(['monitor', 'at']).execute();

  await end(
    create('episode')
      .addColumn('id', type.text, key)
      .addColumn('monitor', type.bigInteger, required)
      .addColumn('opened_at', type.bigInteger, required)
      .addColumn('failing_since', type.bigInteger, required)
      .addColumn('closed_at', type.bigInteger)
      .addColumn('close_reason', type.text)
      .addColumn('error_code', type.text)
      .addColumn('error_message', type.text),
  );
  await index('episode', 'monitor').columns(['monitor', 'opened_at']).execute();
  // A monitor has at most one open outage.
  await index('episode', 'open').unique().column('monitor').where(sql.ref('closed_at'), 'is', null).execute();
}

/** Creates the tables for pings, repeated requests, running daemons, and monitors whose results have to be deleted. */
async function createPings({ type, create, end, endKeyed, index, required, key, zero }: Tools): Promise<void> {
  await end(
    create('ping')
      .addColumn('id', type.counter)
      .addColumn('monitor', type.bigInteger, required)
      .addColumn('at', type.bigInteger, required)
      .addColumn('kind', type.text, required)
      .addColumn('exit_code', type.integer)
      .addColumn('duration_ms', type.bigInteger)
      .addColumn('metrics', type.text),
  );
  // Only pings with metrics are ever looked up, so the index leaves out the many other pings.
  await index('ping', 'metrics').columns(['monitor', 'at']).where(sql.ref('metrics'), 'is not', null).execute();

  await endKeyed(
    create('idempotency')
      .addColumn('scope', type.text, required)
      .addColumn('key', type.text, required)
      .addColumn('request_hash', type.text, required)
      .addColumn('status', type.integer, required)
      .addColumn('body', type.text, required)
      .addColumn('created_at', type.bigInteger, required)
      .addPrimaryKeyConstraint('idempotency_key', ['scope', 'key']),
  );
  await index('idempotency', 'created_at').column('created_at').execute();

  await end(
    create('presence')
      .addColumn('instance', type.text, key)
      .addColumn('region', type.integer, required)
      .addColumn('started_at', type.bigInteger, required)
      .addColumn('alive_at', type.bigInteger, required),
  );
  await end(create('purge').addColumn('monitor', type.bigInteger, key).addColumn('created_at', type.bigInteger, zero));
}

/** A table builder whose columns are complete. */
interface Endable {
  modifyEnd(modifier: Expression<unknown>): { execute(): Promise<void> };
}
