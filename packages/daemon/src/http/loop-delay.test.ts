import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLoopDelay } from './loop-delay.ts';

/**
 * Returns a function that simulates a period. It gets the samples of the period in milliseconds, and returns the delay
 * that is reported after the period. `load.utilization` is the simulated utilization of the event loop.
 */
function startPeriods(load = { utilization: 1 }) {
  let now = 0;
  let isEnabled = false;
  let samples: number[] = [];
  const histogram = {
    get count() {
      return samples.length;
    },
    get mean() {
      return (samples.reduce((sum, ms) => sum + ms, 0) / samples.length) * 1e6;
    },
    reset: () => void (samples = []),
    enable: () => (isEnabled = true),
    disable: () => !(isEnabled = false),
  };
  const delay = createLoopDelay(
    () => now,
    histogram,
    () => load.utilization,
  );
  return (...took: number[]) => {
    if (isEnabled) samples.push(...took);
    now += 1000;
    return delay.meanMs();
  };
}

test('meanMs returns the smaller delay of the last two periods', () => {
  const period = startPeriods();
  expect(period()).toBe(0);
  expect(period(140, 140)).toBe(120);
  expect(period(120, 120)).toBe(100);
  expect(period(20, 20)).toBe(0);
  expect(period(140, 140)).toBe(0);
  expect(period(140, 140)).toBe(120);
});

test('a single long turn does not change the reported delay', () => {
  const load = { utilization: 0.1 };
  const period = startPeriods(load);
  expect(period()).toBe(0);
  load.utilization = 1;
  expect(period(1020)).toBe(0);
  load.utilization = 0.1;
  expect(period(20, 20)).toBe(0);
});

test('createLoopDelay does not sample an idle event loop, and reports no delay for it', () => {
  const load = { utilization: 1 };
  const period = startPeriods(load);
  period();
  expect(period(140)).toBe(120);
  load.utilization = 0.1;
  expect(period(140)).toBe(0);
  expect(period(140)).toBe(0);
  load.utilization = 1;
  expect(period(140)).toBe(0);
  expect(period(140)).toBe(120);
});

test('createLoopDelay measures the delay of a blocked event loop', async () => {
  let now = 0;
  const delay = createLoopDelay(() => now);
  const block = async () => {
    for (let count = 0; count < 5; count++) {
      for (const untilMonoMs = performance.now() + 120; performance.now() < untilMonoMs;);
      await sleep(1);
    }
    now += 1000;
  };
  try {
    await block();
    expect(delay.meanMs()).toBe(0);
    await block();
    expect(delay.meanMs()).toBeGreaterThan(50);
    await sleep(500);
    now += 1000;
    expect(delay.meanMs()).toBe(0);
  } finally {
    delay.close();
  }
});
