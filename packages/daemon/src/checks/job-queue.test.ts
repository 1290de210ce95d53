import { expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import { createJobQueue } from './job-queue.ts';

function* counting(steps: number, each: (step: number) => void = () => {}): Generator<undefined, number> {
  for (let step = 0; step < steps; step++) {
    each(step);
    yield;
  }
  return steps;
}

test('a job runs step by step, and resolves with its result or rejects with its error', async () => {
  const runJob = createJobQueue(systemClock, 1000);
  expect(await runJob(1, counting(5))).toBe(5);
  const failing = counting(5, (step) => {
    if (step === 3) throw new Error('the third');
  });
  await expect(runJob(1, failing)).rejects.toThrow('the third');
  expect(await runJob(1, counting(2))).toBe(2);
});

test('the smallest waiting job runs next, and each job finishes before another begins', async () => {
  const runJob = createJobQueue(systemClock, 1000);
  const order: string[] = [];
  const job = (name: string, size: number) =>
    runJob(
      size,
      counting(3, (step) => order.push(`${name}${step}`)),
    );
  await Promise.all([job('a', 9), job('b', 5), job('c', 1), job('d', 5)]);
  expect(order.join(' ')).toBe('a0 a1 a2 c0 c1 c2 b0 b1 b2 d0 d1 d2');
});

test('the event loop turns during a long job, and an endless job fails and is closed', async () => {
  let at = 0;
  const clock = { ...systemClock, monotonicMs: () => at };
  const runJob = createJobQueue(clock, 100);
  let turns = 0;
  let turning = true;
  const turn = () => {
    turns++;
    if (turning) setImmediate(turn);
  };
  setImmediate(turn);
  let closed = false;
  const endless = (function* () {
    try {
      for (;;) {
        at += 1;
        yield;
      }
    } finally {
      closed = true;
    }
  })();
  await expect(runJob(1, endless)).rejects.toThrow('it takes more than 100 ms');
  turning = false;
  expect(closed).toBe(true);
  expect(turns).toBeGreaterThan(25);
});

test('a step in which the process stalled does not make a job fail', async () => {
  let at = 0;
  const runJob = createJobQueue({ ...systemClock, monotonicMs: () => at }, 100);
  expect(
    await runJob(
      1,
      counting(3, () => (at += 60_000)),
    ),
  ).toBe(3);
});
