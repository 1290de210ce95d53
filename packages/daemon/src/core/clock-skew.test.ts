import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeSkew, type SkewWatch, stableMs, stepMs } from './clock-skew.ts';

/** Looks at a skew once a second. A step or a slew reduces it. Returns the steps and slews. */
function follow(skews: readonly number[]) {
  let watch: SkewWatch | null = null;
  let followed = 0;
  const steps: [second: number, by: number][] = [];
  let slewed = 0;
  skews.forEach((wall, second) => {
    const { watch: next, slew, step } = judgeSkew(watch, { skew: wall - followed, at: second * 1000 });
    watch = next;
    followed += slew + step;
    slewed += slew;
    if (step !== 0) {
      steps.push([second, step]);
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
  ])('is ignored if it passes: %s', (_, skew, lasts) => {
    expect(follow([...seconds(3, 0), ...seconds(lasts, skew), ...seconds(30, 0)])).toEqual({
      steps: [],
      slewed: 0,
      left: 0,
    });
  });

  it('leads to exactly one step once it has lasted for 10 s', () => {
    expect(follow([0, ...seconds(30, -3_600_000)]).steps).toEqual([[11, -3_600_000]]);
    expect(follow([0, ...seconds(30, 2_580_000.4)]).steps).toEqual([[11, 2_580_000]]);
  });

  it('restarts its wait when it changes', () => {
    expect(follow([...seconds(6, 5000), ...seconds(9, 9000), ...seconds(20, 5000)]).steps).toEqual([[25, 5000]]);
  });

  it('is corrected gently if it is small, and left alone if it is noise', () => {
    expect(follow(seconds(100, 60))).toMatchObject({ steps: [], slewed: 58 });
    expect(follow(seconds(100, -1.5))).toMatchObject({ steps: [], slewed: 0 });
  });

  it('is zero in the end, whatever its size, once the wall clock runs evenly', () => {
    const jump = fc.record({ skew: fc.integer({ min: -1e7, max: 1e7 }), lasts: fc.integer({ min: 1, max: 30 }) });
    fc.assert(
      fc.property(fc.array(jump, { maxLength: 10 }), fc.integer({ min: -1e7, max: 1e7 }), (jumps, end) => {
        const all = jumps.flatMap(({ skew, lasts }) => seconds(lasts, skew));
        const { steps, left } = follow([...all, ...seconds(stableMs / 1000 + 2 * stepMs, end)]);
        expect(Math.abs(left)).toBeLessThanOrEqual(2);
        expect(steps.length).toBeLessThanOrEqual(jumps.length + 1);
      }),
    );
  });
});
