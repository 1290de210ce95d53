import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareOtherClocks,
  isTimely,
  judgeSkew,
  sharedSlewMs,
  type SkewWatch,
  stableMs,
  minStepMs,
} from './clock-skew.ts';

/**
 * Judges a skew once a second, and applies each step (a correction at once) and each slew (a gradual correction).
 * Returns the steps, the sum of the slews, and the remaining skew.
 */
function follow(skews: readonly number[]) {
  let watch: SkewWatch | null = null;
  let followed = 0;
  const steps: [second: number, by: number][] = [];
  let slewed = 0;
  skews.forEach((wall, second) => {
    const { watch: next, slewMs, stepMs } = judgeSkew(watch, { skewMs: wall - followed, atMonoMs: second * 1000 });
    watch = next;
    followed += slewMs + stepMs;
    slewed += slewMs;
    if (stepMs !== 0) {
      steps.push([second, stepMs]);
      watch = null;
    }
  });
  return { steps, slewed, left: skews.at(-1)! - followed };
}
const seconds = (count: number, skew: number) => Array.from({ length: count }, () => skew);

describe('the skew of the wall clock', () => {
  it.each([
    ['an hour back for 5 s', -3_600_000, 5],
    ['two hours ahead for a second', 7_200_000, 1],
    ['two seconds ahead for 9 s', 2000, 9],
  ])('a skew of %s is ignored, because it ends within 10 s', (_, skew, lasts) => {
    expect(follow([...seconds(3, 0), ...seconds(lasts, skew), ...seconds(30, 0)])).toEqual({
      steps: [],
      slewed: 0,
      left: 0,
    });
  });

  it('a skew leads to exactly one step, as soon as it has lasted for 10 s', () => {
    expect(follow([0, ...seconds(30, -3_600_000)]).steps).toEqual([[11, -3_600_000]]);
    expect(follow([0, ...seconds(30, 2_580_000.4)]).steps).toEqual([[11, 2_580_000]]);
  });

  it('a skew leads to a step only 10 s after it last changed', () => {
    expect(follow([...seconds(6, 5000), ...seconds(9, 9000), ...seconds(20, 5000)]).steps).toEqual([[25, 5000]]);
  });

  it('a skew is corrected by 1 ms at a time if it is small, and ignored if it is at most 2 ms', () => {
    expect(follow(seconds(100, 60))).toMatchObject({ steps: [], slewed: 58 });
    expect(follow(seconds(100, -60))).toMatchObject({ steps: [], slewed: -58 });
    expect(follow(seconds(100, -1.5))).toMatchObject({ steps: [], slewed: 0 });
  });

  it('a skew that several daemons share is corrected gradually as soon as it has lasted for 10 s', () => {
    let watch: SkewWatch | null = null;
    let skewMs = -2000;
    const slews: number[] = [];
    for (let second = 0; second < 120; second++) {
      const judged = judgeSkew(watch, { skewMs, atMonoMs: second * 1000, otherClocks: 'agree' });
      expect(judged.stepMs).toBe(0);
      watch = judged.watch;
      skewMs -= judged.slewMs;
      slews.push(judged.slewMs);
    }
    expect(slews.slice(0, 10)).toEqual(seconds(10, 0));
    expect(slews.slice(10, 106)).toEqual(seconds(96, -sharedSlewMs));
    expect(Math.abs(skewMs)).toBeLessThan(minStepMs);
  });

  it('a large skew is corrected at once if another daemon already keeps the time of the wall clock', () => {
    const seen = { skewMs: 5000.4, atMonoMs: 0, otherClocks: 'differ' } as const;
    expect(judgeSkew(null, seen)).toEqual({ watch: null, slewMs: 0, stepMs: 5000 });
    expect(judgeSkew(null, { ...seen, skewMs: 50 }).stepMs).toBe(0);
  });

  it('a skew of any size shrinks to at most 2 ms after the wall clock runs evenly again', () => {
    const jump = fc.record({ skew: fc.integer({ min: -1e7, max: 1e7 }), lasts: fc.integer({ min: 1, max: 30 }) });
    fc.assert(
      fc.property(fc.array(jump, { maxLength: 10 }), fc.integer({ min: -1e7, max: 1e7 }), (jumps, end) => {
        const all = jumps.flatMap(({ skew, lasts }) => seconds(lasts, skew));
        const { steps, left } = follow([...all, ...seconds(stableMs / 1000 + 2 * minStepMs, end)]);
        expect(Math.abs(left)).toBeLessThanOrEqual(2);
        expect(steps.length).toBeLessThanOrEqual(jumps.length + 1);
      }),
    );
  });
});

describe('the clocks of other daemons', () => {
  const own = 1_000_000;
  it.each([
    ['no other daemon', 0, [], 'none'],
    ['another daemon that stopped 10 s ago', 0, [own - 10_000], 'none'],
    ['another daemon that runs', 0, [own - 1000], 'agree'],
    ['another daemon that is slow', 0, [own - 9999], 'agree'],
    ['another daemon with the time of this daemon, after the wall clock was set', 3_600_000, [own - 1000], 'agree'],
    [
      'another daemon with the time of the wall clock, after this machine was suspended',
      3_600_000,
      [own + 3_599_000],
      'differ',
    ],
    [
      'one daemon with the time of the wall clock, and one with the time of this daemon',
      -3_600_000,
      [own, own - 3_601_000],
      'differ',
    ],
    [
      'another daemon whose sign of life fits both the wall clock and the time of this daemon',
      400,
      [own - 500],
      'agree',
    ],
    ['another daemon that ended long ago by both clocks', 5000, [own - 10_000], 'none'],
    [
      'another daemon whose sign of life fits neither the wall clock nor the time of this daemon',
      60_000,
      [own + 5000],
      'agree',
    ],
  ] as const)(
    'with %s (skew %i ms, signs of life %j), compareOtherClocks returns "%s"',
    (_, skewMs, signs, expected) => {
      expect(compareOtherClocks(signs, { own, wall: own + skewMs })).toBe(expected);
    },
  );

  it.each([
    [0, true],
    [-1450, true],
    [-1451, false],
    [250, true],
    [251, false],
  ])('for a sign of life %i ms from now, isTimely returns %s', (ms, timely) => {
    expect(isTimely(own + ms, own)).toBe(timely);
  });
});
