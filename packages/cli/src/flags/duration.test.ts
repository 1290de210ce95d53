import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { duration } from './duration.ts';
import { readRange } from './range-flags.ts';
import { whole } from './whole.ts';

describe('a duration', () => {
  test.each([
    ['1s', 1000],
    ['30m', 1_800_000],
    ['1h30m', 5_400_000],
    ['90m', 5_400_000],
    ['2d', 172_800_000],
    ['1d1h1m1s', 90_061_000],
    ['1m1m', 120_000],
    ['366d', 31_622_400_000],
  ])('a duration of %s is %i ms', (text, milliseconds) => expect(duration(text)).toBe(milliseconds));

  test.each(['', '0s', '30', 'm', '1.5h', '-5m', '5 m', '5M', '1w', '500ms', '367d', `${'9'.repeat(10)}s`, '1h 30m'])(
    'a duration may not be written %j, and the error shows how to write a duration',
    (text) => {
      expect(() => duration(text)).toThrow(InvalidArgumentError);
      expect(() => duration(text)).toThrow('such as 30m, 1h30m or 2d, at most a year');
    },
  );
});

describe('a whole number from 1 to 100', () => {
  const read = whole(1, 100);
  test.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
  ])('a whole number from 1 to 100 may be written %s', (text, number) => expect(read(text)).toBe(number));

  test.each(['0', '101', '-1', '1.5', '1e2', '0x10', ' 5', '', 'all', '٥'])(
    'a whole number from 1 to 100 may not be written %j',
    (text) => {
      expect(() => read(text)).toThrow('Expected a whole number from 1 to 100.');
    },
  );
});

describe('a range of days', () => {
  test.each([
    [{}, {}],
    [{ from: '2026-01-01' }, { from: '2026-01-01' }],
    [
      { from: '2028-02-29', to: '2028-03-01' },
      { from: '2028-02-29', to: '2028-03-01' },
    ],
  ])('the flags %j are read as the range %j', (flags, range) => expect(readRange(flags)).toEqual(range));

  test.each(['2026-02-29', '2026-13-01', '2026-1-1', '01.01.2026', 'today', '2026-01-01T00:00:00Z', ''])(
    'a range of days may not begin with %j',
    (from) => {
      expect(() => readRange({ from })).toThrow('--from must be a calendar date, such as 2026-01-31');
      expect(() => readRange({ to: from })).toThrow('--to must be a calendar date, such as 2026-01-31');
    },
  );
});
