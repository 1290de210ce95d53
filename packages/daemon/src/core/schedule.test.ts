import { describe, expect, it } from 'vitest';
import { faultRetryDelayMs, followingCheckAt, nextCheckAt, phaseOf, roundOf } from './schedule.ts';

const interval = 10_000;
const phase = 3000;

describe('the grid of a monitor', () => {
  it('the offset of the grid differs for each monitor and region, and the offsets are spread evenly over the interval', () => {
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
  ])('in the grid of a monitor, the first point after %i ms is at %i ms', (after, expected) => {
    expect(nextCheckAt(after, interval, phase)).toBe(expected);
  });
});

describe('the next check', () => {
  it.each([
    [
      'the next check after a passed check is at the next point of the grid',
      { begunAt: 13_000, at: 13_100, failed: false },
      23_000,
    ],
    [
      'the next check after a passed check that began late is at the next point of the grid, too',
      { begunAt: 15_000, at: 15_100, failed: false },
      23_000,
    ],
    [
      'the next check after a failed check is an interval after the start of that check',
      { begunAt: 15_000, at: 15_100, failed: true },
      25_000,
    ],
    [
      'the next check after a passed check that took more than an interval is due at once',
      { begunAt: 13_000, at: 24_000, failed: false },
      24_000,
    ],
    [
      'the next check after a failed check that took more than an interval is due at once',
      { begunAt: 13_000, at: 24_000, failed: true },
      24_000,
    ],
    [
      'if the clock was set back during a failed check, the next check is an interval after the end of that check',
      { begunAt: 24_000, at: 14_000, failed: true },
      24_000,
    ],
    [
      'if the clock was set back during a passed check, the next check is at the first point of the grid after the end of that check',
      { begunAt: 90_000, at: 14_000, failed: false },
      23_000,
    ],
  ])('%s', (_, check, expected) => {
    expect(followingCheckAt(check, interval, phase)).toBe(expected);
  });
});

describe('a check', () => {
  it.each([
    ['a check that begins on time has its due time as its nominal start', 50_000, 50_000, 60_000, 50_000],
    ['a check that begins a little late has its due time as its nominal start', 50_000, 52_000, 60_000, 50_000],
    ['a check that begins very late has a nominal start 2 s before its real start', 50_000, 55_000, 60_000, 53_000],
    [
      'if the interval is short, a check that begins very late has a nominal start half an interval before its real start',
      50_000,
      50_900,
      1000,
      50_400,
    ],
    ['a check that is late by several intervals counts as the latest check that was due', 50_000, 55_100, 1000, 55_000],
    [
      'a check that is late by more than one interval counts as the latest check that was due',
      50_000,
      56_000,
      5000,
      55_000,
    ],
  ])('%s', (_, due, begunAt, every, expected) => {
    expect(roundOf({ due, begunAt }, every)).toBe(expected);
  });

  it.each([5001, 5500, 6900, 7100, 12_000])(
    'a check that is %i ms late with an interval of 5 s is the only check of its round',
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
  ])(
    'if a checker fault has lasted for %i ms and the interval is %i ms, the check is retried after %i ms',
    (unobserved, every, ms) => {
      expect(faultRetryDelayMs(unobserved, every)).toBe(ms);
    },
  );
});
