import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, middleOf, percentile } from './response-histogram.ts';
import { faultRetryDelayMs, followingCheckAt, nextCheckAt, phaseOf, roundOf } from './schedule.ts';
import { dayMs, hourMs, splitByPeriod, uptimePercent } from './uptime.ts';

const time = fc.integer({ min: 0, max: 4_000_000_000_000 });

describe('the schedule', () => {
  it('the schedule sets the next check at most one interval later, always at the same offset in the interval', () => {
    fc.assert(
      fc.property(
        time,
        fc.integer({ min: 1, max: 86_400 }),
        fc.nat(100_000),
        fc.nat(20),
        (after, seconds, monitor, region) => {
          const interval = seconds * 1000;
          const phase = phaseOf(monitor, region, interval);
          expect(phase).toBeGreaterThanOrEqual(0);
          expect(phase).toBeLessThan(interval);
          const next = nextCheckAt(after, interval, phase);
          expect(next).toBeGreaterThan(after);
          expect(next - after).toBeLessThanOrEqual(interval);
          expect(nextCheckAt(next, interval, phase)).toBe(next + interval);
        },
      ),
    );
  });

  it('the schedule completes n checks within n intervals and one timeout, even if each check takes a whole interval', () => {
    const fraction = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        time,
        fc.integer({ min: 1, max: 3600 }),
        fc.array(fraction, { minLength: 1, maxLength: 100 }),
        fc.nat(100_000),
        fc.boolean(),
        (outage, seconds, takes, monitor, failed) => {
          const interval = seconds * 1000;
          const phase = phaseOf(monitor, 1, interval);
          let begunAt = nextCheckAt(outage, interval, phase);
          let at = begunAt;
          for (const part of takes) {
            at = begunAt + Math.round(part * interval);
            begunAt = followingCheckAt({ begunAt, at, failed }, interval, phase);
            expect(begunAt).toBeGreaterThanOrEqual(at);
          }
          const timeout = Math.round(takes.at(-1)! * interval);
          expect(at - outage).toBeLessThanOrEqual(takes.length * interval + timeout);
        },
      ),
    );
  });

  it('the schedule starts the next check at once after a check that took longer than the interval', () => {
    expect(followingCheckAt({ begunAt: 10_000, at: 10_999, failed: false }, 1000, 0)).toBe(11_000);
    expect(followingCheckAt({ begunAt: 10_000, at: 11_001, failed: true }, 1000, 0)).toBe(11_001);
    // The clock was set back during the check.
    expect(followingCheckAt({ begunAt: 90_000, at: 10_500, failed: false }, 1000, 0)).toBe(11_000);
  });

  it('the schedule waits an interval after a failed check, and returns to the grid of the monitor after a passed check', () => {
    expect(followingCheckAt({ begunAt: 8700, at: 8800, failed: true }, 10_000, 0)).toBe(18_700);
    expect(followingCheckAt({ begunAt: 8700, at: 8800, failed: false }, 10_000, 0)).toBe(10_000);
  });

  it('the schedule sets the nominal start of a check to its due time, unless the check begins much later', () => {
    expect(roundOf({ due: 10_000, begunAt: 11_900 }, 10_000)).toBe(10_000);
    expect(roundOf({ due: 10_000, begunAt: 18_000 }, 10_000)).toBe(16_000);
    expect(roundOf({ due: 10_000, begunAt: 10_900 }, 1000)).toBe(10_400);
  });

  it('the schedule spreads the checks of a thousand monitors evenly over the interval', () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let monitor = 1; monitor <= 1000; monitor++) tenths[Math.floor(phaseOf(monitor, 1, 60_000) / 6000)]! += 1;
    expect(Math.min(...tenths)).toBeGreaterThan(90);
    expect(Math.max(...tenths)).toBeLessThan(110);
  });

  it('the schedule retries a checker fault after a second at first, and always within half a minute', () => {
    expect([0, 500, 5000, 1e9].map((unobserved) => faultRetryDelayMs(unobserved, 60_000))).toEqual([
      1000, 1000, 5000, 30_000,
    ]);
    expect(faultRetryDelayMs(1e9, 5000)).toBe(5000);
  });
});

describe('uptime', () => {
  it('uptime is split into hours or days without losing a millisecond', () => {
    fc.assert(
      fc.property(time, fc.nat(100 * hourMs), fc.constantFrom(hourMs, dayMs), (from, length, size) => {
        const parts = splitByPeriod(from, from + length, size);
        expect(parts.reduce((sum, [, ms]) => sum + ms, 0)).toBe(length);
        for (const [, ms] of parts) expect(ms).toBeLessThanOrEqual(size);
        expect(new Set(parts.map(([period]) => period)).size).toBe(parts.length);
      }),
    );
  });

  it('uptime is null when nothing was observed, and 100 only without any downtime', () => {
    expect(uptimePercent({ up: 0, down: 0, maintenance: 5 })).toBeNull();
    expect(uptimePercent({ up: 100, down: 0, maintenance: 0 })).toBe(100);
    expect(uptimePercent({ up: 30 * dayMs, down: 1, maintenance: 0 })).toBe(99.9999);
    expect(uptimePercent({ up: 3, down: 1, maintenance: 9 })).toBe(75);
  });
});

describe('the histogram of response times', () => {
  it('the histogram gives a percentile within 5 % of the true percentile', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_200_000 }), { minLength: 1, maxLength: 300 }), (times) => {
        const counts = new Map<number, number>();
        for (const tenths of times) counts.set(bucketOf(tenths), (counts.get(bucketOf(tenths)) ?? 0) + 1);
        const sorted = times.toSorted((a, b) => a - b);
        const truth = sorted[Math.ceil(times.length * 0.95) - 1]!;
        const read = percentile(
          [...counts].map(([bucket, count]) => ({ bucket, count })),
          0.95,
        )!;
        expect(Math.abs(read - truth) / truth).toBeLessThanOrEqual(0.05);
      }),
    );
    expect(percentile([], 0.95)).toBeNull();
    expect(bucketOf(0)).toBe(0);
    expect(middleOf(0)).toBe(1);
  });
});
