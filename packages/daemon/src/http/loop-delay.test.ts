import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLoopDelay } from './loop-delay.ts';

/**
 * Returns a function that simulates a period. It gets the samples of the period in milliseconds, and returns the delay
 * that is reported after the period.
 */
function startPeriods() {
  let now = 0;
  let samples: number[] = [];
  const histogram = {
    get count() {
      return samples.length;
    },
    get mean() {
      return (samples.reduce((sum, ms) => sum + ms, 0) / samples.length) * 1e6;
    },
    reset: () => void (samples = []),
    enable: () => true,
    disable: () => true,
  };
  const delay = createLoopDelay(() => now, histogram);
  return (...took: number[]) => {
    samples.push(...took);
    now += 1000;
    return delay.meanMs();
  };
}

test('meanMs returns the smaller delay of the last two periods', () => {
  const period = startPeriods();
  expect(period(140, 140)).toBe(0);
  expect(period(120, 120)).toBe(100);
  expect(period(20, 20)).toBe(0);
});

test('a single long pause does not change the reported delay', () => {
  const period = startPeriods();
  expect(period(20, 20)).toBe(0);
  expect(period(1020)).toBe(0);
  expect(period(20, 20)).toBe(0);
});

test('createLoopDelay measures the delay of a blocked event loop', async () => {
  let now = 0;
  const delay = createLoopDelay(() => now);
  const block = async () => {
    for (let count = 0; count < 5; count++) {
      for (const until = performance.now() + 120; performance.now() < until;);
      await sleep(1);
    }
    now += 1000;
  };
  try {
    await block();
    expect(delay.meanMs()).toBe(0);
    await block();
    expect(delay.meanMs()).toBeGreaterThan(50);
  } finally {
    delay.close();
  }
});
