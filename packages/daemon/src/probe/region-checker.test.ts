import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../deps.ts';
import { createSteadyClock } from '../steady-clock.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { testContext } from '../testing/targets/check-context.ts';
import { switchedTarget, type SwitchedTarget } from '../testing/targets/switched.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { testVault } from '../testing/test-vault.ts';
import { createKeptAssignments } from './keep-assignments.ts';
import { createRegionChecker } from './region-checker.ts';
import { createResultQueue } from './result-queue.ts';

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

test('a probe does not check a monitor that is full, and checks the others', async () => {
  const { store } = database;
  const deps = { clock: createSteadyClock(systemClock), log: silentLog, random: Math.random };
  const vault = testVault();
  const assignment = (monitor: number) => ({
    monitor,
    generation: 0,
    updatedAt: 0,
    project: 'p',
    dueAt: 0,
    fields: { type: 'http', url: target.url(`${monitor}`), interval: 1, regions: ['eu-west'] },
  });
  const assignments = [1, 2].map(assignment);
  const kept = createKeptAssignments(deps, store, vault);
  await kept.apply({ region, assignments, unavailable: [], removed: [] } as never);
  let fault: string | null = 'The queue is full.';
  const queue = { ...(await createResultQueue(store)), fullFor: (monitor?: number) => (monitor === 1 ? fault : null) };
  const checker = createRegionChecker(deps, {
    store,
    vault,
    context: testContext(),
    queue,
    serverTime: { fault: () => null, isMeasured: () => true } as never,
    most: 10,
    onRecorded: () => undefined,
  });
  await checker.checkFrom(region.id);
  const verdicts = async (of: number) =>
    (await queue.next()).filter(({ monitor }) => monitor === of).map(({ verdict, error }) => [verdict, error?.message]);
  const waiting = { timeout: 20_000, interval: 50 };
  await vi.waitFor(async () => expect((await verdicts(2)).length).toBeGreaterThan(1), waiting);
  expect(await verdicts(1)).toEqual([['internal', fault]]);
  expect(target.requests('1')).toEqual([]);
  expect(checker.ownFault()).toContain(fault);
  fault = null;
  await vi.waitFor(async () => expect(await verdicts(1)).toContainEqual(['up', undefined]), waiting);
  await checker.stop();
});
