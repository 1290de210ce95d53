import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noAbsences } from '../core/absence.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { passed } from '../testing/passing-check.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { createCheckRecording } from './record-checks.ts';
import { createResultQueue } from './result-queue.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await databases[0]!.open();
});
afterEach(async () => {
  vi.useRealTimers();
  await database.dispose();
});

const finished = {
  monitor: 1,
  region: 1,
  generation: 0,
  intervalMs: 60_000,
  begunAt: 1,
  at: 2,
  requested: false,
  later: 'none',
  overtaken: false,
  claim: null,
  absences: noAbsences,
  outcome: passed,
  isEarly: false,
} as const;

async function openRecording() {
  const queue = await createResultQueue(database.store);
  const clock = createFakeClock(Date.now());
  return { queue, clock, recording: createCheckRecording({ clock, log: silentLog }, database.store, queue) };
}

const syncs = async () => (await database.store.db.selectFrom('probe_fact').selectAll().execute()).length;

test('a finished check is stored without waiting for a timer', async () => {
  const { queue, recording } = await openRecording();
  // Neither the fake clock nor a fake timer moves in this test, so a wait for them would never end.
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  await recording.record(finished);
  expect(await queue.next()).toMatchObject([{ monitor: 1, begun: 1, at: 2, verdict: 'up' }]);
});

test('a stored result is synced to disk 250 ms later', async () => {
  const { clock, recording } = await openRecording();
  await recording.record(finished);
  await clock.advance(249);
  expect(await syncs()).toBe(0);
  await clock.advance(1);
  await vi.waitFor(async () => expect(await syncs()).toBe(1));
});

test('a stop syncs the last result to disk', async () => {
  const { recording } = await openRecording();
  await recording.record(finished);
  await recording.close();
  expect(await syncs()).toBe(1);
});
