import { expect, test } from 'vitest';
import { addAttempt, areForgotten, nextAttemptAt, type OrderAttempts } from './order-attempts.ts';

const minute = 60_000;

test('nextAttemptAt waits longer after each failure, and allows at most five attempts an hour', () => {
  let attempts: OrderAttempts = { at: [], failures: 0, error: null };
  const at: number[] = [];
  for (let count = 0; count < 20; count++) {
    const now = Math.max(0, nextAttemptAt(attempts));
    at.push(now);
    attempts = addAttempt({ ...attempts, failures: attempts.failures + 1 }, now);
  }
  expect(at.slice(0, 6).map((time) => time / minute)).toEqual([0, 2, 6, 14, 30, 62]);
  for (const start of at)
    expect(at.filter((time) => time >= start && time < start + 60 * minute).length).toBeLessThan(6);
});

test('a request to verify ends the wait after failures, but the next order still counts towards the limit of five an hour', () => {
  let attempts: OrderAttempts = { at: [], failures: 0, error: null };
  for (let now = 0; now < 5; now++) {
    expect(nextAttemptAt(attempts)).toBeLessThanOrEqual(now);
    attempts = addAttempt({ ...attempts, failures: 0 }, now);
  }
  expect(nextAttemptAt(attempts)).toBe(60 * minute);
});

test('the attempts for a name are forgotten after an hour', () => {
  expect(areForgotten({ at: [1], failures: 1, error: null }, 60 * minute)).toBe(false);
  expect(areForgotten({ at: [1], failures: 1, error: null }, 60 * minute + 1)).toBe(true);
});
