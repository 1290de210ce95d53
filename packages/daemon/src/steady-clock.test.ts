import { describe, expect, it } from 'vitest';
import { createFakeClock } from './testing/fake-clock.ts';

const start = Date.UTC(2026, 0, 1);

describe('the steady clock', () => {
  it('the clock runs evenly while the wall clock jumps, and reports how far the wall clock is ahead', () => {
    const clock = createFakeClock(start);
    clock.setWall(-3_600_000);
    clock.jump(1000);
    expect([clock.now() - start, clock.skewMs()]).toEqual([1000, -3_600_000]);
    clock.setWall(7_200_000);
    clock.jump(1000);
    expect([clock.now() - start, clock.skewMs()]).toEqual([2000, 3_600_000]);
  });

  it('the clock steps only when asked, and reports the sum of its steps', () => {
    const clock = createFakeClock(start);
    clock.setWall(-5000);
    clock.step(-5000);
    expect([clock.now() - start, clock.skewMs(), clock.steppedMs()]).toEqual([-5000, 0, -5000]);
    clock.step(3000);
    expect([clock.now() - start, clock.skewMs(), clock.steppedMs()]).toEqual([-2000, -3000, -2000]);
  });

  it('the clock never goes back during a gradual correction', () => {
    const clock = createFakeClock(start);
    clock.jump(1000);
    expect(clock.now()).toBe(start + 1000);
    clock.slew(-3);
    expect(clock.now()).toBe(start + 1000);
    clock.jump(5);
    expect(clock.now()).toBe(start + 1002);
  });

  it.each([-60_000, 60_000])(
    'renew moves times that were read before a step of %i ms, and does not change times that were read after the step',
    (byMs) => {
      const clock = createFakeClock(start);
      const before = clock.now();
      expect(clock.renew(before)).toBe(before);
      clock.jump(100);
      clock.step(byMs);
      expect(clock.renew(before)).toBe(before + byMs);
      expect(clock.renew(clock.now())).toBe(clock.now());
      const after = clock.now();
      clock.jump(1000);
      expect(clock.renew(after)).toBe(after);
    },
  );
});
