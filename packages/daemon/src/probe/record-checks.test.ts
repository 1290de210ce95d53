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

test('a finished check is stored without waiting for a timer', async () => {
  const queue = await createResultQueue(database.store);
  const clock = createFakeClock(Date.now());
  const recording = createCheckRecording({ clock, log: silentLog }, database.store, queue);
  // Neither the fake clock nor a fake timer moves in this test, so a wait for them would never end.
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  await recording.record({
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
  });
  expect(await queue.next()).toMatchObject([{ monitor: 1, begun: 1, at: 2, verdict: 'up' }]);
});
