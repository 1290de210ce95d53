import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createLoopDelay, type LoopDelay } from './loop-delay.ts';

let delay: LoopDelay;
let now = 0;
afterEach(() => delay.close());

const block = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('a loop with repeated blocks has their mean delay, and a new second forgets it', async () => {
  now = 0;
  delay = createLoopDelay(() => now);
  for (let count = 0; count < 5; count++) {
    block(120);
    await sleep(1);
  }
  expect(delay.meanMs()).toBe(0);
  now = 1000;
  expect(delay.meanMs()).toBeGreaterThan(50);
  const measured = delay.meanMs();
  await sleep(60);
  expect(delay.meanMs()).toBe(measured);
  now = 2000;
  expect(delay.meanMs()).toBeLessThan(measured);
});
