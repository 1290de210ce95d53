import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { duration, interval, relative } from './times.ts';

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [90_000, '1 min 30 s'],
  [3_600_000, '1 h'],
  [3_660_000, '1 h 1 min'],
  [86_400_000, '1 d'],
  [90_061_000, '1 d 1 h'],
  [31_536_000_000, '365 d'],
])('duration formats %i ms as %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

test.each([
  [0, '0 s'],
  [1, '1 s'],
  [90, '90 s'],
  [300, '5 min'],
  [5400, '90 min'],
  [86_400, '1 d'],
])('interval formats %i s as %s', (seconds, text) => {
  expect(interval(seconds)).toBe(text);
});

const now = Date.parse('2026-03-01T12:00:00.000Z');

test.each([
  ['2026-03-01T11:59:55.000Z', '5 s ago'],
  ['2026-03-01T11:58:30.000Z', '1 min ago'],
  ['2026-03-01T12:00:00.500Z', 'now'],
  ['2026-03-01T15:20:00.000Z', 'in 3 h'],
  ['2026-02-27T12:00:00.000Z', '2 d ago'],
])('relative formats %s as %s', (time, text) => {
  expect(relative(time, now)).toBe(text);
});

const sizes: Record<string, number> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };
/** Parses a formatted duration. Returns milliseconds. */
const readBack = (text: string): number =>
  [...text.matchAll(/(\d+) (\w+)/g)].reduce((sum, [, count, unit]) => sum + Number(count) * sizes[unit!]!, 0);

test('a formatted duration is rounded down, by less than its smallest unit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000 * 86_400_000 }), (milliseconds) => {
      const text = duration(milliseconds);
      expect(text).toMatch(/^\d+ (?:ms|s|min|h|d)(?: [1-9]\d* (?:s|min|h))?$/);
      const lost = milliseconds - readBack(text);
      const [first] = text.split(' ').slice(1);
      const order = ['ms', 's', 'min', 'h', 'd'];
      const next = order[Math.max(0, order.indexOf(first!) - 1)]!;
      expect(lost).toBeGreaterThanOrEqual(0);
      expect(lost).toBeLessThan(first === 's' ? 1000 : sizes[next]!);
    }),
  );
});

test('the longer of two times is never formatted as the shorter duration', () => {
  const time = fc.integer({ min: 0, max: 400 * 86_400_000 });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      expect(readBack(duration(less))).toBeLessThanOrEqual(readBack(duration(more)));
    }),
  );
});

test('interval uses the largest unit in which the interval is a whole number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 * 86_400 }), (seconds) => {
      const text = interval(seconds);
      expect(readBack(text)).toBe(seconds * 1000);
      const [, unit] = text.split(' ');
      const larger = Object.values(sizes).filter((size) => size > sizes[unit!]!);
      expect(larger.every((size) => (seconds * 1000) % size !== 0)).toBe(true);
    }),
  );
});

test('relative says whether a time is in the past or in the future', () => {
  fc.assert(
    fc.property(fc.integer({ min: -400 * 86_400_000, max: 400 * 86_400_000 }), (apart) => {
      const text = relative(new Date(now + apart).toISOString(), now);
      if (Math.abs(apart) < 1000) expect(text).toBe('now');
      else expect(text).toMatch(apart > 0 ? /^in [1-9]\d* (?:s|min|h|d)$/ : /^[1-9]\d* (?:s|min|h|d) ago$/);
    }),
  );
});
