import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { waitingTime } from './waiting-time.ts';

it('counts time in which work waits, and leaves out time in which the process stands still', async () => {
  const standing = new Int32Array(new SharedArrayBuffer(4));
  const ms = await waitingTime(async () => {
    await sleep(200);
    Atomics.wait(standing, 0, 0, 300);
    await sleep(100);
  });
  expect(ms).toBeGreaterThan(50);
  expect(ms).toBeLessThan(450);
});
