import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { createOpenSlots } from '../../packages/daemon/src/recording/open-slots.ts';
import { createResultWriting } from '../../packages/daemon/src/recording/write-results.ts';
import { createStatsReader } from '../../packages/daemon/src/resources/monitor-past/stats.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import type { Tables } from '../../packages/daemon/src/store/tables.ts';
import { cpuMicrosOfTree } from '../growth/system-figures.ts';
import { expectResults, fillFleet } from './fill-fleet.ts';
import { fillStatistics } from './fill-statistics.ts';
import { measure } from './measure-fleet.ts';
import { resultBatch } from './result-batch.ts';

const monitors = 10_000;
const [batches, size] = [100, 500];
/** The number of monitors whose statistics are read, and how often the statistics of each monitor are read. */
const [readMonitors, readsOfMonitor] = [300, 2];

/** The costs of a streaming replica. Processor times are in microseconds. */
export interface ReplicaCosts {
  /** Processor time of the primary for a stored result, and the part of it that sends the WAL to the replica. */
  storeMicros: number;
  sendMicros: number;
  /** Processor time of the replica to receive and replay a result. */
  replayMicros: number;
  sentBytes: number;
  /** The time from the last commit until the replica had all results, in milliseconds. */
  lagMs: number;
  /** Processor time of a server to read the statistics of a monitor, as the API does. */
  readOnPrimaryMicros: number;
  readOnReplicaMicros: number;
}

/** A running server with its database. */
export interface Server {
  db: Kysely<Tables>;
  pid: number;
}

/** Measures a primary that stores results in batches of 500, and its streaming replica on the same machine. */
export async function measureReplica(store: Store, serverPid: number, replica: Server): Promise<ReplicaCosts> {
  const { db } = store;
  const now = Date.now();
  await fillStatistics(db, { monitors: readMonitors, now });
  await fillFleet(store, { monitors, now });
  await replayed(db, replica);
  const sender = await readSender(db);
  const micros = () => ({ send: cpuMicrosOfTree(sender.pid)!, replay: cpuMicrosOfTree(replica.pid)! });
  const write = createResultWriting(store, createOpenSlots(store));
  const begun = micros();
  let lagMs = 0;
  const stored = await measure(serverPid, db, async () => {
    for (let batch = 0; batch < batches; batch++) {
      const outcomes = resultBatch(batch, { size, monitors, at: now });
      await store.write((trx) => write(trx, outcomes), { durable: false });
    }
    lagMs = await replayed(db, replica);
  });
  const ended = micros();
  const count = batches * size;
  const sentBytes = ((await readSender(db)).sent - sender.sent) / count;
  await expectResults(replica, now, count);
  const onPrimary = await readStatistics(store, serverPid, now);
  const onReplica = await readStatistics({ ...store, db: replica.db }, replica.pid, now);
  if (!isDeepStrictEqual(onPrimary.read, onReplica.read)) throw new Error('The statistics of the replica differ.');
  return {
    storeMicros: stored.micros / count,
    sendMicros: (ended.send - begun.send) / count,
    replayMicros: (ended.replay - begun.replay) / count,
    sentBytes,
    lagMs,
    readOnPrimaryMicros: onPrimary.micros,
    readOnReplicaMicros: onReplica.micros,
  };
}

/** Waits until the replica has replayed the WAL of the primary up to now. Returns the time it took, in milliseconds. */
async function replayed(primary: Kysely<Tables>, replica: Server): Promise<number> {
  const begun = performance.now();
  const { rows } = await sql<{ end: string }>`select pg_current_wal_insert_lsn()::text as "end"`.execute(primary);
  const isDone = sql<{ done: boolean }>`select pg_last_wal_replay_lsn() >= ${rows[0]!.end}::pg_lsn as done`;
  while (!(await isDone.execute(replica.db)).rows[0]!.done) await sleep(2);
  return performance.now() - begun;
}

/** Returns the primary's process that sends the WAL to the replica, and up to which byte the WAL was sent. */
async function readSender(primary: Kysely<Tables>): Promise<{ pid: number; sent: number }> {
  const { rows } = await sql<{ pid: number; sent: number }>`
    select pid, sent_lsn - '0/0'::pg_lsn as sent from pg_stat_replication`.execute(primary);
  return rows[0]!;
}

async function readStatistics(store: Store, serverPid: number, now: number) {
  const readStats = createStatsReader(store);
  const readAll = async () => {
    const all = [];
    for (let monitor = 1; monitor <= readMonitors; monitor++) all.push(await readStats(monitor, now));
    return all;
  };
  // The first reads prepare the statements and fill the caches.
  const read = await readAll();
  const begun = cpuMicrosOfTree(serverPid)!;
  for (let round = 0; round < readsOfMonitor; round++) await readAll();
  return { read, micros: (cpuMicrosOfTree(serverPid)! - begun) / (readMonitors * readsOfMonitor) };
}
