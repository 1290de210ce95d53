import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { passed } from '../testing/passing-check.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { startChecker } from './checker.ts';
import type { Claims } from './claims.ts';

const lease = { claim: null, isSure: () => true };

test.each([
  ['20 ms if many checks are due', 11, 50],
  ['100 ms if few checks are due', 10, 10],
])('the schedule is read at a fixed interval if checks are due all the time: %s', async (_, due, reads) => {
  const clock = createFakeClock();
  let looks = 0;
  const claims: Claims = {
    takeDue: async () => {
      looks++;
      return Array.from({ length: due }, (_, monitor) => ({ monitor, next_at: clock.now(), project: 'p', lease }));
    },
    takeOne: async () => null,
    renew: async (leases) => leases,
    giveBack: async () => {},
    checkEnded: () => {},
    firstFree: async () => ({ next_at: clock.now() + 1, at: clock.now() + 1 }),
    oldestDue: async () => null,
    waiting: async () => 0,
    unwanted: async () => [],
    nextCheckAt: () => null,
  };
  const checker = startChecker(
    { clock, log: silentLog, random: Math.random },
    {
      loadMonitors: async () => new Map(),
      region: 1,
      claims,
      observingSince: () => 0,
      runCheck: async () => passed,
      record: async () => {},
    },
  );
  await clock.advance(10);
  looks = 0;
  await clock.advance(1000);
  expect(looks).toBe(reads);
  await checker.stop();
});
