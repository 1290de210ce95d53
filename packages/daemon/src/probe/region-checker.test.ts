import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../deps.ts';
import { createSteadyClock } from '../steady-clock.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { testContext } from '../testing/targets/check-context.ts';
import { switchedTarget, type SwitchedTarget } from '../testing/targets/switched.ts';
import { listening } from '../testing/targets/tcp.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { testVault } from '../testing/test-vault.ts';
import { createKeptAssignments } from './keep-assignments.ts';
import { createRegionChecker } from './region-checker.ts';
import { createResultQueue, type ResultQueue } from './result-queue.ts';
import type { Store } from '../store/store.ts';

const region = { id: 1, name: 'eu-west' };
let database: TestDatabase;
let target: SwitchedTarget;
beforeAll(async () => {
  database = await databases[0]!.open();
  target = await switchedTarget();
});
afterAll(async () => {
  await target.close();
  await database.dispose();
});

const deps = { clock: createSteadyClock(systemClock), log: silentLog, random: Math.random };
const waiting = { timeout: 20_000, interval: 50 };
const createChecker = (store: Store, queue: ResultQueue) =>
  createRegionChecker(deps, {
    store,
    vault: testVault(),
    context: testContext(),
    queue,
    serverTime: { fault: () => null, isMeasured: () => true } as never,
    maxRunning: 10,
    onRecorded: () => undefined,
  });

test('a probe does not check a monitor while the queue is full for this monitor, but checks other monitors', async () => {
  const { store } = database;
  const assignment = (monitor: number) => ({
    monitor,
    generation: 0,
    updatedAt: 0,
    project: 'p',
    dueAt: 0,
    fields: { type: 'http', url: target.url(`${monitor}`), interval: 1, regions: ['eu-west'] },
  });
  const assignments = [1, 2].map(assignment);
  const kept = createKeptAssignments(deps, store, testVault());
  await kept.apply({ region, assignments, unavailable: [], removed: [] } as never);
  let fault: string | null = 'The queue is full.';
  let isFull = (monitor?: number): boolean => monitor === 1;
  const queue = {
    ...(await createResultQueue(store)),
    fullFor: (monitor?: number) => (isFull(monitor) ? fault : null),
  };
  const checker = createChecker(store, queue);
  await checker.checkFrom(region.id);
  const verdicts = async (of: number) =>
    (await queue.next()).filter(({ monitor }) => monitor === of).map(({ verdict, error }) => [verdict, error?.message]);
  await vi.waitFor(async () => expect((await verdicts(2)).length).toBeGreaterThan(1), waiting);
  expect(await verdicts(1)).toEqual([['internal', fault]]);
  expect(target.requests('1')).toEqual([]);
  expect(checker.ownFault()).toContain(fault);
  fault = null;
  await vi.waitFor(async () => expect(await verdicts(1)).toContainEqual(['up', undefined]), waiting);
  expect(checker.isFailing()).toBe(false);
  [fault, isFull] = ['The queue is full.', () => true];
  await vi.waitFor(() => expect(checker.isFailing()).toBe(true), waiting);
  await checker.stop();
});

test('a check that runs while its monitor is edited keeps its result, with the interval that the monitor had before', async () => {
  const own = await databases[0]!.open();
  const { store } = own;
  onTestFinished(() => own.dispose());
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = await listening(
    createServer((_, response) => {
      asked.resolve();
      void answered.promise.then(() => response.end());
    }),
  );
  onTestFinished(() => slow.close());
  const kept = createKeptAssignments(deps, store, testVault());
  const assign = (generation: number, interval: number, dueAt: number) => {
    const fields = { type: 'http', url: `http://127.0.0.1:${slow.port}`, interval, regions: ['eu-west'] };
    const assignments = [{ monitor: 1, generation, updatedAt: generation, project: 'p', dueAt, fields }];
    return kept.apply({ region, assignments, unavailable: [], removed: [] } as never);
  };
  const queue = await createResultQueue(store);
  const checker = createChecker(store, queue);
  onTestFinished(() => checker.stop());
  await checker.checkFrom(region.id);
  await assign(0, 3600, Date.now());
  await checker.checkFrom(region.id);
  await asked.promise;
  await assign(1, 60, Date.now() + 60_000);
  answered.resolve();
  await vi.waitFor(async () => expect(await queue.next()).toHaveLength(1), waiting);
  expect(await queue.next()).toMatchObject([{ generation: 0, intervalMs: 3_600_000, verdict: 'up', over: false }]);
});
