import { expect, test } from 'vitest';
import { restAfter } from './rest-after.ts';

test('after 8 ms of work, a loop rests for as long as the work took, up to 100 ms', async () => {
  let now = 0;
  const rests: number[] = [];
  const after = (ms: number, task: () => void) => {
    rests.push(ms);
    setImmediate(task);
    return () => {};
  };
  const rest = restAfter({ monotonicMs: () => now, after }, 8, new AbortController().signal);
  for (const workedMs of [7, 43, 7, 1, 500]) {
    now += workedMs;
    await rest();
  }
  expect(rests).toEqual([50, 8, 100]);
});

test('a rest of a loop ends when the daemon stops', async () => {
  const stopping = new AbortController();
  let now = 0;
  const rest = restAfter({ monotonicMs: () => now, after: () => () => {} }, 8, stopping.signal);
  now = 20;
  const resting = rest();
  stopping.abort();
  await resting;
  now = 40;
  await rest();
});
