import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLoopDelay, type LoopDelay } from './loop-delay.ts';

let delay: LoopDelay;
let now: number;
beforeEach(() => {
  now = 0;
  delay = createLoopDelay(() => now);
});
afterEach(() => delay.close());

const block = async (times: number, ms: number) => {
  for (let count = 0; count < times; count++) {
    const until = performance.now() + ms;
    while (performance.now() < until);
    await sleep(1);
  }
};
/** Ends a period, and returns the delay. */
const nextPeriod = () => {
  now += 1000;
  return delay.meanMs();
};

test('a loop that is blocked again and again in two periods has the delay of its blocks', async () => {
  await block(5, 120);
  expect(nextPeriod()).toBe(0);
  await block(5, 120);
  expect(nextPeriod()).toBeGreaterThan(50);
  await sleep(60);
  expect(nextPeriod()).toBeLessThan(50);
});

test('a single long pause changes nothing', async () => {
  await sleep(60);
  nextPeriod();
  await block(1, 1000);
  expect(nextPeriod()).toBeLessThan(50);
  await sleep(60);
  expect(nextPeriod()).toBeLessThan(50);
});
