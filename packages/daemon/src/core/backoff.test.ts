import { expect, it } from 'vitest';
import { nextAttemptAt } from './backoff.ts';

const hour = 3_600_000;
const failed = { now: 0, triedSince: 0, attempts: 1, retryAfter: null, random: 0 };

it('waits 2 s at first, then twice as long each time, an hour at most', () => {
  const waits = Array.from({ length: 14 }, (_, at) => nextAttemptAt({ ...failed, attempts: at + 1 })! / 1000);
  expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600, 3600]);
});

it('takes up to a quarter off, so that what failed together is not tried again together', () => {
  const waits = [0, 0.5, 0.999].map((random) => nextAttemptAt({ ...failed, attempts: 12, random })! / hour);
  expect(waits).toEqual([1, 0.875, expect.closeTo(0.75, 2)]);
});

it('waits for as long as it is asked to, a day at most, and never shorter than it would', () => {
  const asked = (retryAfter: number) => nextAttemptAt({ ...failed, attempts: 3, retryAfter });
  expect([asked(60_000), asked(1), asked(90 * 24 * hour)]).toEqual([60_000, 8000, 24 * hour]);
});

it('gives up a day after the first attempt', () => {
  const late = { ...failed, attempts: 30, triedSince: 0 };
  expect(nextAttemptAt({ ...late, now: 23 * hour })).toBe(24 * hour);
  expect(nextAttemptAt({ ...late, now: 23 * hour + 1 })).toBeNull();
});
