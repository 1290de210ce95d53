import { setImmediate as nextRound } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { createBodyBudget } from './body-budget.ts';
import { createRequestTurns, type RequestTurns } from './request-turns.ts';

let nowMs: number;
let turns: RequestTurns;
beforeEach(() => {
  nowMs = 0;
  turns = createRequestTurns(() => nowMs);
});

/** Waits for a turn, and works for `forMs` in that turn. */
const work = async (owner: string, forMs: number, done: string[]) => {
  await turns.next(owner);
  nowMs += forMs;
  done.push(owner);
};

test('an owner with many requests does not delay another owner', async () => {
  const done: string[] = [];
  await Promise.all([...Array.from({ length: 5 }, () => work('many', 1, done)), work('one', 1, done)]);
  expect(done.slice(0, 3)).toEqual(['many', 'one', 'many']);
});

test('short turns of requests share a turn of the event loop, and long turns do not', async () => {
  const roundsOf = async (forMs: number) => {
    const done: string[] = [];
    const all = Promise.all(Array.from({ length: 6 }, () => work('a', forMs, done)));
    let longest = 0;
    for (let before = 0; done.length < 6; before = done.length) {
      await nextRound();
      longest = Math.max(longest, done.length - before);
    }
    await all;
    return longest;
  };
  expect(await roundsOf(0)).toBeGreaterThan(2);
  expect(await roundsOf(5)).toBeLessThanOrEqual(2);
});

test('after a long turn, no request gets a turn for as long as that turn took', async () => {
  const done: string[] = [];
  const begunMonoMs = performance.now();
  await Promise.all([work('a', 40, done), work('b', 1, done)]);
  expect(performance.now() - begunMonoMs).toBeGreaterThan(38);
});

test('a request waits for another turn only after a long turn', async () => {
  const rest = await turns.begin('a', 0);
  const other = work('b', 0, []);
  let rested = false;
  const short = rest().then(() => (rested = true));
  await Promise.resolve();
  await Promise.resolve();
  expect(rested).toBe(true);
  await Promise.all([short, other]);
  nowMs += 5;
  const done: string[] = [];
  const late = work('c', 0, done);
  await rest();
  expect(done).toEqual(['c']);
  await late;
});

test('begin refuses an owner whose waiting requests hold too much memory, and accepts other owners', async () => {
  // A waiting request uses at least 4 KiB of the memory limit.
  const limits = { inAll: 1000 * 1024, perCaller: 100 * 1024 };
  turns = createRequestTurns(() => nowMs, createBodyBudget(limits));
  const full = Array.from({ length: 25 }, () => turns.begin('many', 0));
  await expect(turns.begin('many', 0)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  await Promise.all([...full, turns.begin('one', 90 * 1024)]);
  await turns.begin('many', 100 * 1024);
});

test('close refuses requests that have not begun, and lets the other requests finish', async () => {
  const limits = { inAll: 100 * 1024, perCaller: 100 * 1024 };
  turns = createRequestTurns(() => nowMs, createBodyBudget(limits));
  const rest = await turns.begin('a', 0);
  nowMs += 5;
  const waits = [turns.begin('a', 0), rest(), turns.next('b')];
  const ended = Promise.allSettled(waits);
  turns.close(new Error('The daemon is stopping.'));
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  await expect(turns.begin('a', 0)).rejects.toThrow('stopping');
  nowMs += 5;
  await rest();
});
