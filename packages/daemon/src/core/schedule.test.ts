import { describe, expect, it } from 'vitest';
import { followingCheckAt, nextCheckAt, phaseOf, retryDelay, roundOf } from './schedule.ts';

const interval = 10_000;
const phase = 3000;

describe('the grid of checks', () => {
  it('spreads monitors evenly over the interval, and differs by region', () => {
    const phases = Array.from({ length: 1000 }, (_, monitor) => phaseOf(monitor + 1, 1, interval));
    expect(phases.every((at) => Number.isInteger(at) && at >= 0 && at < interval)).toBe(true);
    for (let part = 0; part < 10; part++) {
      const within = phases.filter((at) => Math.floor(at / 1000) === part).length;
      expect(within).toBeGreaterThan(80);
      expect(within).toBeLessThan(120);
    }
    expect(phaseOf(1, 1, interval)).not.toBe(phaseOf(1, 2, interval));
  });

  it.each([
    [2999, 3000],
    [3000, 13_000],
    [12_999, 13_000],
    [0, 3000],
  ])('after %i has its next point at %i', (after, expected) => {
    expect(nextCheckAt(after, interval, phase)).toBe(expected);
  });
});

describe('the next check', () => {
  it.each([
    ['after a pass is at the next point of the grid', { begunAt: 13_000, at: 13_100, failed: false }, 23_000],
    ['after a late pass is at the next point too', { begunAt: 15_000, at: 15_100, failed: false }, 23_000],
    ['after a failure is an interval later', { begunAt: 15_000, at: 15_100, failed: true }, 25_000],
    ['after a pass that took long is due at once', { begunAt: 13_000, at: 24_000, failed: false }, 24_000],
    ['after a failure that took long is due at once', { begunAt: 13_000, at: 24_000, failed: true }, 24_000],
    [
      'after a failure counts from its end if the clock was set back',
      { begunAt: 24_000, at: 14_000, failed: true },
      24_000,
    ],
    [
      'after a pass counts from its end if the clock was set back',
      { begunAt: 90_000, at: 14_000, failed: false },
      23_000,
    ],
  ])('%s', (_, check, expected) => {
    expect(followingCheckAt(check, interval, phase)).toBe(expected);
  });
});

describe('a check', () => {
  it.each([
    ['on time counts for its due time', 50_000, 50_000, 60_000, 50_000],
    ['a little late counts for its due time', 50_000, 52_000, 60_000, 50_000],
    ['very late counts for 2 s before it began', 50_000, 55_000, 60_000, 53_000],
    ['of a short interval counts for half an interval before it began', 50_000, 50_900, 1000, 50_400],
    ['late by whole intervals counts as the latest check that was due', 50_000, 55_100, 1000, 55_000],
    ['late by more than its interval counts as the latest check that was due', 50_000, 56_000, 5000, 55_000],
  ])('%s', (_, due, begunAt, every, expected) => {
    expect(roundOf({ due, begunAt }, every)).toBe(expected);
  });

  it.each([5001, 5500, 6900, 7100, 12_000])(
    'that is %i ms late with an interval of 5 s is the only check of its round',
    (lateMs) => {
      const begunAt = 13_000 + lateMs;
      const round = roundOf({ due: 13_000, begunAt }, 5000);
      expect(followingCheckAt({ begunAt: round, at: begunAt, failed: false }, 5000, 3000)).toBe(
        nextCheckAt(begunAt, 5000, 3000),
      );
    },
  );

  it.each([
    [0, 60_000, 1000],
    [5000, 60_000, 5000],
    [500_000, 60_000, 30_000],
    [500_000, 20_000, 20_000],
    [0, 500, 500],
  ])('with a checker fault of %i ms so far, at an interval of %i ms, is retried after %i ms', (blind, every, ms) => {
    expect(retryDelay(blind, every)).toBe(ms);
  });
});
