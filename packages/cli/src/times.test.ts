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
])('%i ms is written as %s', (milliseconds, said) => {
  expect(duration(milliseconds)).toBe(said);
});

test.each([
  [0, '0 s'],
  [1, '1 s'],
  [90, '90 s'],
  [300, '5 min'],
  [5400, '90 min'],
  [86_400, '1 d'],
])('every %i s is written as %s', (seconds, said) => {
  expect(interval(seconds)).toBe(said);
});

const now = Date.parse('2026-03-01T12:00:00.000Z');

test.each([
  ['2026-03-01T11:59:55.000Z', '5 s ago'],
  ['2026-03-01T11:58:30.000Z', '1 min ago'],
  ['2026-03-01T12:00:00.500Z', 'now'],
  ['2026-03-01T15:20:00.000Z', 'in 3 h'],
  ['2026-02-27T12:00:00.000Z', '2 d ago'],
])('%s is %s', (time, said) => {
  expect(relative(time, now)).toBe(said);
});
