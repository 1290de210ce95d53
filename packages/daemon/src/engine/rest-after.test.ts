import { expect, test } from 'vitest';
import { restAfter } from './rest-after.ts';

test('rests after each slice of work, for as long as the work took', async () => {
  let now = 0;
  const rest = restAfter({ monotonicMs: () => now }, 8);
  const restedMs = async (workedMs: number) => {
    now += workedMs;
    const before = performance.now();
    await rest();
    return performance.now() - before;
  };
  expect(await restedMs(7)).toBeLessThan(40);
  // A timer may come up to a millisecond early.
  expect(await restedMs(43)).toBeGreaterThanOrEqual(49);
  expect(await restedMs(20)).toBeGreaterThanOrEqual(19);
});
