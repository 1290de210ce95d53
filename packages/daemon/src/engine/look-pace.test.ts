import { expect, test } from 'vitest';
import { validateMonitor } from '@uptime/sdk/contract';
import type { CheckOutcome } from '../checks/check.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { monitorSample } from '../testing/monitor-samples.ts';
import { passed } from '../testing/passing-check.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { type CheckerOptions, startChecker } from './checker.ts';
import type { ClaimedMonitor, Claims, Look } from './claims.ts';
import type { LoadMonitors } from './load-monitor.ts';
import { noAbsences } from '../core/absence.ts';

const lease = { claim: null, isSure: () => true };

/** Returns the due checks of monitors of one project. */
const dueChecks = (count: number, clock: FakeClock): ClaimedMonitor[] =>
  Array.from({ length: count }, (_, monitor) => ({ monitor, next_at: clock.now(), project: 'p', lease }));

/** Returns the claims of a schedule in which the next check is always due in a millisecond. */
const claimsOf = (clock: FakeClock, own: Pick<Claims, 'takeDue' | 'oldestDue'>): Claims => ({
  takeOne: async () => null,
  renew: async (leases) => leases,
  giveBack: async () => {},
  checkEnded: () => {},
  firstFree: async () => ({ next_at: clock.now() + 1, at: clock.now() + 1 }),
  waiting: async () => 0,
  unwanted: async () => [],
  nextCheckAt: () => null,
  ...own,
});

const start = (
  clock: FakeClock,
  options: Pick<CheckerOptions, 'claims' | 'loadMonitors' | 'runCheck' | 'maxRunning'>,
) =>
  startChecker(
    { clock, log: silentLog, random: Math.random },
    { region: 1, absences: () => noAbsences, record: async () => {}, ...options },
  );

test.each([
  ['20 ms if many are due', 11, 50],
  ['100 ms if few are due', 10, 10],
])('while checks are due all the time, the checker reads the schedule every %s', async (_, due, reads) => {
  const clock = createFakeClock();
  let looks = 0;
  const takeDue = async () => {
    looks++;
    return dueChecks(due, clock);
  };
  const claims = claimsOf(clock, { takeDue, oldestDue: async () => null });
  const checker = start(clock, { claims, loadMonitors: async () => new Map(), runCheck: async () => passed });
  await clock.advance(10);
  looks = 0;
  await clock.advance(1000);
  expect(looks).toBe(reads);
  await checker.stop();
});

const validated = validateMonitor(monitorSample('tcp'));
if (!validated.ok) throw new Error('The sample is not valid.');
const row = { fields: validated.value, unreadable: {}, generation: 1, plan_paused: 0, project_id: 'p' };
const loadMonitors: LoadMonitors = async (monitors) => new Map(monitors.map((monitor) => [monitor, row]));
const hangingCheck = (_: unknown, signal: AbortSignal) =>
  new Promise<CheckOutcome>((end) => signal.addEventListener('abort', () => end(passed)));

test.each([
  ['all slots are taken', { maxRunning: 1, due: 2, running: 1, isCrowded: false }],
  [
    'slots are free, but a project has more due checks than its share',
    { maxRunning: 4, due: 3, running: 2, isCrowded: true },
  ],
])('the checker reads the schedule every 20 ms if %s', async (_, { maxRunning, due, running, isCrowded }) => {
  const clock = createFakeClock();
  let left = dueChecks(due, clock);
  let reads = 0;
  const claims: Claims = {
    ...claimsOf(clock, {
      async takeDue({ limit, of }: Look) {
        const isOfAll = of !== undefined && 'except' in of;
        if (isOfAll) reads++;
        if (isOfAll && of.except.includes('p')) return [];
        return left.splice(0, limit);
      },
      async oldestDue(of) {
        // Without a free slot, the checker only reads how late the checks are.
        if ('except' in of) reads++;
        return left[0]?.next_at ?? null;
      },
    }),
    async giveBack(held) {
      left = [...dueChecks(due, clock).filter((one) => held.some(({ monitor }) => monitor === one.monitor)), ...left];
    },
  };
  const checker = start(clock, { claims, loadMonitors, runCheck: hangingCheck, maxRunning });
  await clock.advance(10);
  expect(checker.inFlight()).toBe(running);
  expect([...checker.crowded().keys()]).toEqual(isCrowded ? ['p'] : []);
  reads = 0;
  await clock.advance(1000);
  expect(reads).toBe(50);
  expect(checker.inFlight()).toBe(running);
  await checker.stop();
});
