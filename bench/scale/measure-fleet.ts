import { type Kysely, sql } from 'kysely';
import { createOpenSlots } from '../../packages/daemon/src/recording/open-slots.ts';
import { createResultWriting } from '../../packages/daemon/src/recording/write-results.ts';
import { claimDue } from '../../packages/daemon/src/store/claim-due.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import type { Tables } from '../../packages/daemon/src/store/tables.ts';
import { region } from '../growth/fill-monitors.ts';
import { cpuMicrosOfTree } from '../growth/system-figures.ts';
import { expectResults, fillFleet } from './fill-fleet.ts';
import { resultBatch } from './result-batch.ts';

const batches = 40;
const batchSize = 500;

/** The costs of one check, on tables with this many monitors. */
export interface Costs {
  monitors: number;
  /** Processor time of the database for the claim of the check, in microseconds. */
  claimMicros: number;
  claimsPerSecond: number;
  /** Processor time of the database to store the result and its counts, in microseconds. */
  storeMicros: number;
  resultsPerSecond: number;
  /** Bytes of the write-ahead log for a stored result. */
  walBytes: number;
  /** Bytes per row of the table of results, including indexes. */
  rowBytes: number;
  /** Bytes per row of timings, which are kept for a day. */
  detailBytes: number;
}

/** Measures claims of checks, and the storing of results, in batches of 500 on one connection. */
export async function measureFleet(store: Store, serverPid: number, monitors: number): Promise<Costs> {
  const { db } = store;
  const now = Date.now();
  await fillFleet(store, { monitors, now });
  const claims = await measure(serverPid, db, async () => {
    for (let batch = 0; batch < batches; batch++) {
      const due = await claimDue(db, { region, now, leaseUntil: now + 600_000, limit: batchSize });
      if (due.length !== Math.min(batchSize, Math.max(0, monitors - batch * batchSize)))
        throw new Error('A claim did not return all due checks.');
    }
  });
  const write = createResultWriting(store, createOpenSlots(store));
  const results = await measure(serverPid, db, async () => {
    for (let batch = 0; batch < batches; batch++) {
      const outcomes = resultBatch(batch, { size: batchSize, monitors, at: now });
      await store.write((trx) => write(trx, outcomes), { durable: false });
    }
  });
  const count = batches * batchSize;
  await expectResults(store, now, count);
  return {
    monitors,
    claimMicros: claims.micros / Math.min(count, monitors),
    claimsPerSecond: Math.min(count, monitors) / claims.seconds,
    storeMicros: results.micros / count,
    resultsPerSecond: count / results.seconds,
    walBytes: results.walBytes / count,
    rowBytes: await bytesOfRow(db, 'result'),
    detailBytes: await bytesOfRow(db, 'result_detail'),
  };
}

/** Returns the processor time and the bytes of WAL that `work` costs the database. */
export async function measure(serverPid: number, db: Kysely<Tables>, work: () => Promise<void>) {
  const walAt = async () =>
    (await sql<{ at: number }>`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at`.execute(db)).rows[0]!.at;
  const [micros, wal, begun] = [cpuMicrosOfTree(serverPid)!, await walAt(), performance.now()];
  await work();
  const seconds = (performance.now() - begun) / 1000;
  return { seconds, micros: cpuMicrosOfTree(serverPid)! - micros, walBytes: (await walAt()) - wal };
}

/** Returns the bytes of a row, from the sizes of the table, its indexes and its partitions. */
async function bytesOfRow(db: Kysely<Tables>, table: 'result' | 'result_detail'): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(oid)) / (select count(*) from ${sql.table(table)})::float as bytes
    from pg_class left join pg_inherits on inhrelid = oid
    where ${sql.lit(table)}::regclass in (oid, inhparent)`.execute(db);
  return rows[0]!.bytes;
}
