import { type Kysely, sql } from 'kysely';
import { lastSeen } from '../../packages/daemon/src/alerting/last-seen.ts';
import { createOpenSlots } from '../../packages/daemon/src/recording/open-slots.ts';
import { createResultWriting, type WriteResults } from '../../packages/daemon/src/recording/write-results.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import type { Tables } from '../../packages/daemon/src/store/tables.ts';
import { fillMonitors, region } from '../growth/fill-monitors.ts';
import { expectResults } from './fill-fleet.ts';
import { measure } from './measure-fleet.ts';
import { resultBatch } from './result-batch.ts';

const dayMs = 86_400_000;
const monitors = 5000;
/** Days of stored results, results of each monitor per day, and partitions for days to come. */
const [days, resultsOfDay, daysAhead] = [30, 8, 8];
const [rounds, batches, batchSize, reads] = [4, 20, 500, 200];

/** The costs of one table of results in the database. Processor times are in microseconds. */
export interface TableCosts {
  table: 'result' | 'partitioned by day';
  storeMicros: number;
  /** Bytes of the write-ahead log for a stored result. */
  walBytes: number;
  /** Processor time to read the latest results of a monitor. */
  latestMicros: number;
}

/** Measures two tables alternately: the table of results as it is, and a table with a partition for each day. */
export async function measurePartitions(store: Store, serverPid: number): Promise<TableCosts[]> {
  const { db } = store;
  const now = Date.now();
  await fillMonitors(store, { target: 'http://target', monitors, intervalSeconds: 60, firstAt: now });
  await makePartitions(db, Math.floor(now / dayMs));
  for (const table of ['result', 'partitioned'])
    await sql`insert into ${sql.table(table)} (monitor, at, region, code, tenths)
      select m, ${now}::bigint - ${sql.lit(dayMs / resultsOfDay)}::bigint * k, ${sql.lit(region)}, 1, 1234
      from generate_series(1, ${sql.lit(days * resultsOfDay)}) k, generate_series(1, ${sql.lit(monitors)}) m`.execute(
      db,
    );
  await sql`vacuum analyze`.execute(db);
  const write = createResultWriting(store, createOpenSlots(store));
  const whole = { storeMicros: 0, walBytes: 0, latestMicros: 0 };
  const costs = { plain: { ...whole }, partitioned: { ...whole } };
  for (let round = 0; round < rounds; round++) {
    await addCosts(costs.plain, store, serverPid, { write, at: now + round * 1_000_000 });
    await rename(db, ['result', 'plain'], ['partitioned', 'result']);
    await addCosts(costs.partitioned, store, serverPid, { write, at: now + round * 1_000_000 });
    await rename(db, ['result', 'partitioned'], ['plain', 'result']);
  }
  return [
    { table: 'result', ...costs.plain },
    { table: 'partitioned by day', ...costs.partitioned },
  ];
}

async function makePartitions(db: Kysely<Tables>, today: number): Promise<void> {
  await sql`create table partitioned (like result including all) partition by range (at)`.execute(db);
  for (let day = today - days - 1; day < today + daysAhead; day++)
    await sql`create table ${sql.table(`result_${day}`)} partition of partitioned
      for values from (${sql.lit(day * dayMs)}) to (${sql.lit((day + 1) * dayMs)})`.execute(db);
}

/** Measures the table that is now named `result`, and adds its costs, divided by the number of rounds, to `costs`. */
async function addCosts(
  costs: Omit<TableCosts, 'table'>,
  store: Store,
  serverPid: number,
  { write, at }: { write: WriteResults; at: number },
): Promise<void> {
  const { db } = store;
  await sql`checkpoint`.execute(db);
  const stored = await measure(serverPid, db, async () => {
    for (let batch = 0; batch < batches; batch++) {
      const outcomes = resultBatch(batch, { size: batchSize, monitors, at });
      await store.write((trx) => write(trx, outcomes), { durable: false });
    }
  });
  const until = at + dayMs;
  const read = await measure(serverPid, db, async () => {
    for (let monitor = 1; monitor <= reads; monitor++)
      await store.write((trx) => lastSeen(trx, monitor, { until, failed: false }), { durable: false });
  });
  await expectResults(store, at, batches * batchSize);
  costs.storeMicros += stored.micros / (batches * batchSize * rounds);
  costs.walBytes += stored.walBytes / (batches * batchSize * rounds);
  costs.latestMicros += read.micros / (reads * rounds);
}

async function rename(db: Kysely<Tables>, ...names: (readonly [from: string, to: string])[]): Promise<void> {
  for (const [from, to] of names) await sql`alter table ${sql.table(from)} rename to ${sql.ref(to)}`.execute(db);
}
