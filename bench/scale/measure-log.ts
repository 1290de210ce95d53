import { open, readFile } from 'node:fs/promises';
import { createOpenSlots } from '../../packages/daemon/src/recording/open-slots.ts';
import { createResultWriting, type StoredOutcome } from '../../packages/daemon/src/recording/write-results.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { cpuPerUnit } from '../measurement.ts';
import { expectResults, fillFleet } from './fill-fleet.ts';
import { measure } from './measure-fleet.ts';
import { resultBatch } from './result-batch.ts';

const monitors = 20_000;
/** The number of results, and how many of them the checker appends at once. */
const [results, appended] = [40_000, 500];

/** The costs of a result that a checker appends to a message log. */
export interface AppendCosts {
  bytes: number;
  /** Processor time of this process to make the bytes, to write them and to wait for the disk, in microseconds. */
  micros: number;
}

/** The costs of a result that a consumer of the message log stores in batches of this size. */
export interface ConsumerCosts {
  batchSize: number;
  /** Processor time of the database in microseconds, and bytes of its write-ahead log. */
  storeMicros: number;
  walBytes: number;
}

/**
 * Simulates the message log of a broker such as Kafka: a file to which a checker appends batches of results. Each batch
 * is on the disk before the next one begins.
 */
export async function appendToLog(path: string): Promise<AppendCosts> {
  const now = Date.now();
  const log = await open(path, 'a');
  try {
    const micros = await cpuPerUnit(async () => {
      for (let batch = 0; batch < results / appended; batch++) {
        const outcomes = resultBatch(batch, { size: appended, monitors, at: now });
        await log.write(outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(''));
        await log.datasync();
      }
      return results;
    });
    return { bytes: (await log.stat()).size / results, micros };
  } finally {
    await log.close();
  }
}

/** Reads the message log, and stores its results in batches of `batchSize`. */
export async function consumeLog(
  store: Store,
  serverPid: number,
  { path, batchSize }: { path: string; batchSize: number },
): Promise<ConsumerCosts> {
  const outcomes = await readLog(path);
  const first = outcomes[0]!.at;
  await fillFleet(store, { monitors, now: first });
  const write = createResultWriting(store, createOpenSlots(store));
  const stored = await measure(serverPid, store.db, async () => {
    for (let at = 0; at < outcomes.length; at += batchSize)
      // The commit does not wait for the disk, because the message log still has the results.
      await store.write((trx) => write(trx, outcomes.slice(at, at + batchSize)), { durable: false });
  });
  await expectResults(store, first, results);
  return { batchSize, storeMicros: stored.micros / results, walBytes: stored.walBytes / results };
}

async function readLog(path: string): Promise<StoredOutcome[]> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  if (lines.length !== results) throw new Error(`The message log has ${lines.length} results instead of ${results}.`);
  return lines.map((line) => JSON.parse(line) as StoredOutcome);
}
