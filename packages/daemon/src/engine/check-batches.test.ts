import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOpenSlots } from '../recording/open-slots.ts';
import { createQuietChecks } from '../recording/quiet-checks.ts';
import { createOutcomeRecording } from '../recording/record-outcome.ts';
import type { Store } from '../store/store.ts';
import { allResults } from '../testing/all-results.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { steadyTime } from '../testing/record-check.ts';
import { begunAt, createWatchedProject } from '../testing/watched-project.ts';
import { systemClock } from '../deps.ts';
import { createCheckBatches } from './check-batches.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await databases.find(({ name }) => name === 'sqlite')!.open();
});
afterEach(() => database.dispose());

/**
 * Creates batches that record into a store. Each read of the clock moves the clock by 10 ms, so that recording seems
 * slow.
 */
function batchesOf(store: Store) {
  let now = 0;
  const clock = { ...systemClock, monotonicMs: () => (now += 10) };
  const quiet = createQuietChecks(steadyTime);
  const recordOutcomes = createOutcomeRecording(store, {
    renew: steadyTime.renew,
    quiet,
    slots: createOpenSlots(store),
  });
  const writes = { fence: async () => () => 'held' as const, apply: async () => {} };
  return createCheckBatches(store, { clock, instance: 'test', recordOutcomes, writes, quiet, onTransition: () => {} });
}

test('checks that take long to record are recorded in several short transactions, in the order in which they ended', async () => {
  const { store } = database;
  const project = await createWatchedProject(store);
  const monitors: number[] = [];
  for (let at = 0; at < 10; at++) monitors.push(await project.addMonitor(`m${at}`));
  let transactions = 0;
  const counted: Store = {
    ...store,
    write: (work, options) => {
      transactions++;
      return store.write(work, options);
    },
  };
  const batches = batchesOf(counted);
  // The checks end in the reverse order of the monitors' numbers, so that the test can tell the two orders apart.
  const checks = monitors.toReversed().map((monitor) => project.finished(monitor, 1, 'http_status'));
  await Promise.all(checks.map((check) => batches.record(check)));
  await batches.close();

  const changes = await store.db.selectFrom('status_change').select(['monitor', 'at']).orderBy('id').execute();
  expect(changes).toEqual(monitors.toReversed().map((monitor) => ({ monitor, at: begunAt + 60_000 })));
  expect(await allResults(store)).toHaveLength(10);
  // By this clock it takes at least 10 ms to record a check, and a transaction ends after 8 ms. The changes of status
  // are synced to the disk in further transactions.
  expect(transactions).toBeGreaterThanOrEqual(5);
});
