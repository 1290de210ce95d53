import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { beyondPlan, limitsBeyond, type Measured, needOf } from './limits.ts';

const tcp = (interval: number, regions: string[] = []): Measured => ({ type: 'tcp', interval, regions });
const plan = { monitors: 2, checkInterval: 60, regions: 1 };

test('a limit may be reached but not exceeded', () => {
  expect(limitsBeyond({ monitors: 2, checkInterval: 60, regions: 1 }, plan)).toEqual([]);
  expect(limitsBeyond({ monitors: 3, checkInterval: 59, regions: 2 }, plan)).toEqual([
    'monitors',
    'checkInterval',
    'regions',
  ]);
  expect(limitsBeyond({}, { monitors: 0, checkInterval: 86_400, regions: 1 })).toEqual([]);
});

test('a heartbeat is not checked, so the limits on the interval and the regions do not apply', () => {
  expect(limitsBeyond(needOf({ type: 'heartbeat', interval: 1, regions: ['a', 'b'] }), plan)).toEqual([]);
});

test('the plan allows the oldest monitors first, and never a monitor that exceeds a limit by itself', () => {
  const monitors = [tcp(10), tcp(60), tcp(60, ['a', 'b']), tcp(600, ['a']), tcp(60)];
  expect(beyondPlan(monitors, plan)).toEqual([monitors[0], monitors[2], monitors[4]]);
});

test('monitors that exceed no limit by themselves run in order of age, up to the number that the plan allows', () => {
  const monitor = fc.record({
    type: fc.constantFrom('tcp', 'heartbeat'),
    interval: fc.integer({ min: 1, max: 100 }),
    regions: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
  });
  const allowed = fc.record({
    monitors: fc.nat(10),
    checkInterval: fc.integer({ min: 1, max: 100 }),
    regions: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(monitor), allowed, (monitors, allowance) => {
      const beyond = new Set(beyondPlan(monitors, allowance));
      const running = monitors.filter((one) => !beyond.has(one));
      const fitting = monitors.filter((one) => limitsBeyond(needOf(one), allowance).length === 0);
      expect(running).toEqual(fitting.slice(0, allowance.monitors));
    }),
  );
});
