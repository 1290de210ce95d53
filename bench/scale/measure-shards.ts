import { createOpenSlots } from '../../packages/daemon/src/recording/open-slots.ts';
import { createResultWriting } from '../../packages/daemon/src/recording/write-results.ts';
import { claimDue } from '../../packages/daemon/src/store/claim-due.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { region } from '../growth/fill-monitors.ts';
import { expectResults, fillFleet } from './fill-fleet.ts';
import { measure } from './measure-fleet.ts';
import { onNewDatabase } from './on-new-database.ts';
import { resultBatch } from './result-batch.ts';

const monitors = 20_000;
const [batches, size] = [40, 500];

/** The costs of a check on this many servers, summed over the servers. Processor times are in microseconds. */
export interface ShardCosts {
  servers: number;
  claimMicros: number;
  storeMicros: number;
  walBytes: number;
}

/** A server with some of the monitors, and the daemon's function that stores results on it. */
interface Shard {
  store: Store;
  pid: number;
  storeResults(outcomes: ReturnType<typeof resultBatch>): Promise<void>;
}

/**
 * Simulates Citus: distributes monitors over servers by their numbers, and measures the claims of due checks and the
 * storing of results. A statement about several monitors goes to every server that has some of these monitors. The
 * servers work one after another, so that they do not compete for the cores of this machine.
 */
export const measureShards = (folder: string, servers: number): Promise<ShardCosts> => onShards(folder, servers, []);

/** Starts the missing servers, and then measures all. */
async function onShards(folder: string, servers: number, shards: readonly Shard[]): Promise<ShardCosts> {
  if (shards.length === servers) return measureAll(shards);
  return onNewDatabase(folder, async (store, pid) => {
    const write = createResultWriting(store, createOpenSlots(store));
    const storeResults: Shard['storeResults'] = (outcomes) =>
      store.write((trx) => write(trx, outcomes), { durable: false });
    return onShards(folder, servers, [...shards, { store, pid, storeResults }]);
  });
}

async function measureAll(shards: readonly Shard[]): Promise<ShardCosts> {
  const now = Date.now();
  for (const { store } of shards) await fillFleet(store, { monitors: monitors / shards.length, now });
  const claimed = await measureSum(shards, async () => {
    for (let batch = 0; batch < batches; batch++)
      for (const { store } of shards) {
        const limit = size / shards.length;
        const due = await claimDue(store.db, { region, now, leaseUntil: now + 600_000, limit });
        if (due.length !== limit) throw new Error(`A server has ${due.length} due checks instead of ${limit}.`);
      }
  });
  const stored = await measureSum(shards, async () => {
    for (let batch = 0; batch < batches; batch++) {
      const outcomes = resultBatch(batch, { size, monitors, at: now });
      for (const [index, shard] of shards.entries()) {
        const own = outcomes.filter(({ monitor }) => monitor % shards.length === index);
        // The monitors of each server are numbered from 1, as `fillMonitors` stores them.
        await shard.storeResults(own.map((one) => ({ ...one, monitor: Math.ceil(one.monitor / shards.length) })));
      }
    }
  });
  const count = batches * size;
  for (const { store } of shards) await expectResults(store, now, count / shards.length);
  return {
    servers: shards.length,
    claimMicros: claimed.micros / count,
    storeMicros: stored.micros / count,
    walBytes: stored.walBytes / count,
  };
}

/** Returns the costs of `work`, summed over the servers. */
async function measureSum(shards: readonly Shard[], work: () => Promise<void>) {
  const sum = { micros: 0, walBytes: 0 };
  const measured = shards.reduce(
    (inner, { store, pid }) =>
      async () => {
        const { micros, walBytes } = await measure(pid, store.db, inner);
        sum.micros += micros;
        sum.walBytes += walBytes;
      },
    work,
  );
  await measured();
  return sum;
}
