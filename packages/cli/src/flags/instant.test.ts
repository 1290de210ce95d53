import { InvalidArgumentError } from 'commander';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { duration } from './duration.ts';
import { instant, formatInstant } from './instant.ts';

beforeEach(() => vi.stubEnv('TZ', 'Europe/Berlin'));
afterEach(() => vi.unstubAllEnvs());

describe('a date and time', () => {
  test.each([
    ['2030-05-01T02:00:00Z', '2030-05-01T02:00:00.000Z'],
    ['2030-05-01T02:00Z', '2030-05-01T02:00:00.000Z'],
    ['2030-05-01T02:00:00.5-05:30', '2030-05-01T07:30:00.500Z'],
    ['2030-05-01 02:00', '2030-05-01T00:00:00.000Z'],
    ['2030-12-01T02:00', '2030-12-01T01:00:00.000Z'],
    ['2028-02-29 00:00', '2028-02-28T23:00:00.000Z'],
  ])('a date and time written %s is the instant %s', (text, expected) => {
    expect(new Date(instant(text)).toISOString()).toBe(expected);
  });

  test.each(['', 'now', '2030-05-01', '02:00', '2030-02-30T02:00:00Z', '2027-02-29 02:00', '2030-05-01 25:00'])(
    'a date and time may not be written %j',
    (text) => expect(() => instant(text)).toThrow(InvalidArgumentError),
  );

  test('a date and time leads to an error if the change to summer time skips it', () => {
    expect(() => instant('2030-03-31 02:30')).toThrow('This time does not exist in Europe/Berlin: the clocks skip it.');
    expect(new Date(instant('2030-03-31 03:00')).toISOString()).toBe('2030-03-31T01:00:00.000Z');
  });

  test('a date and time is printed both in local time with its zone and in UTC', () => {
    expect(formatInstant(Date.UTC(2030, 4, 1, 2))).toBe('2030-05-01 04:00 Europe/Berlin (2030-05-01T02:00:00.000Z)');
  });
});

describe('a duration', () => {
  test.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
  ])('a duration of %s is %i ms', (text, expected) => expect(duration(text)).toBe(expected));

  test.each(['', '0m', '30', 'm', '-5m', '1.5h', '30 m', '400d', '999999999d'])(
    'a duration may not be written %j',
    (text) => expect(() => duration(text)).toThrow(InvalidArgumentError),
  );
});
