import { expect, test } from 'vitest';
import type { Clock } from '../deps.ts';
import { type Interruption, startDeadline } from './deadline.ts';

/** A clock whose timers fire as late as a test wants. */
function steppedClock() {
  let now = 0;
  let timers: { at: number; call: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    monotonicMs: () => now,
    after(ms, call) {
      const timer = { at: now + ms, call };
      timers.push(timer);
      return () => (timers = timers.filter((other) => other !== timer));
    },
  };
  /** Moves the clock to `to`, and runs each timer when it is due. */
  const run = (to: number) => {
    for (;;) {
      const next = timers.toSorted((a, b) => a.at - b.at)[0];
      if (!next || next.at > to) break;
      timers = timers.filter((other) => other !== next);
      now = Math.max(now, next.at);
      next.call();
    }
    now = to;
  };
  /** Lets time pass in which no timer runs, and then runs each due timer once. */
  const stall = (ms: number) => {
    now += ms;
    run(now);
  };
  return { clock, run, stall, pending: () => timers.length };
}

function started(timeout: number, signal?: AbortSignal) {
  const stepped = steppedClock();
  const deadline = startDeadline(stepped.clock, timeout, signal);
  const seen: [at: number, why: Interruption][] = [];
  deadline.onInterrupt((why) => seen.push([stepped.clock.monotonicMs(), why]));
  return { ...stepped, deadline, seen };
}

test('a deadline interrupts a check exactly at the timeout', () => {
  const { run, seen, deadline } = started(1700);
  run(1699);
  expect(seen).toEqual([]);
  run(5000);
  expect(seen).toEqual([[1700, 'timeout']]);
  expect(deadline.over).toBe('timeout');
});

test('a function that is set after the interruption is called at once', () => {
  const { run, deadline } = started(1000);
  run(1000);
  const late: Interruption[] = [];
  deadline.onInterrupt((why) => late.push(why));
  expect(late).toEqual(['timeout']);
});

test('a deadline does not call a function that offInterrupt has removed', () => {
  const { run, seen, deadline } = started(1000);
  deadline.offInterrupt();
  run(1000);
  expect(seen).toEqual([]);
});

test('if the event loop stalls until after the timeout, the target gets a moment more to answer', () => {
  const { run, stall, seen } = started(1000);
  run(900);
  stall(1500);
  expect(seen).toEqual([]);
  run(10_000);
  expect(seen).toEqual([[3300, 'timeout']]);
});

test('the time of a short stall is added to the timeout, and then the check times out', () => {
  const { run, stall, seen } = started(5000);
  run(100);
  stall(1100);
  run(10_000);
  expect(seen).toEqual([[5900, 'timeout']]);
});

test('a deadline adds the time of a stall to the timeout only once, and adds at most 0.9 s', () => {
  const { run, stall, seen } = started(3000);
  stall(2900);
  run(3800);
  expect(seen).toEqual([]);
  stall(2000);
  expect(seen).toEqual([[5800, 'stalled']]);
});

test('slightly late timers do not count as a stall', () => {
  const { stall, seen, deadline } = started(1000);
  for (let i = 0; i < 3; i++) stall(340);
  expect(seen).toEqual([[1020, 'timeout']]);
  expect(deadline.lagMs()).toBe(0);
});

test('an abort is noticed within a quarter of a second', () => {
  const controller = new AbortController();
  const { run, seen } = started(10_000, controller.signal);
  run(1300);
  controller.abort();
  run(5000);
  expect(seen).toEqual([[1500, 'aborted']]);
});

test('an ended deadline leaves no timer', () => {
  const { deadline, run, pending, seen } = started(1000);
  run(700);
  deadline.end();
  expect(pending()).toBe(0);
  run(5000);
  expect(seen).toEqual([]);
});
