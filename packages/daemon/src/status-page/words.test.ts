import { expect, test } from 'vitest';
import { dayName, duration, monthName, percent } from './words.ts';

test.each([
  [0, '0 s'],
  [999, '0 s'],
  [1000, '1 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [7_500_000, '2 h 5 min'],
  [7_501_000, '2 h 5 min'],
  [86_400_000, '1 d'],
  [86_400_000 * 400, '400 d'],
])('a duration of %i ms is shown as %s', (ms, words) => {
  expect(duration(ms)).toBe(words);
});

test.each([
  [100, '100 %'],
  [99.9999, '99.99 %'],
  [99.995, '99.99 %'],
  [0, '0 %'],
  [0.001, '0 %'],
])('the percentage %d is shown as %s, never rounded up', (value, words) => {
  expect(percent(value)).toBe(words);
});

test('the name of a day is its date in UTC', () => {
  expect(dayName(0)).toBe('1 Jan');
  expect(dayName(Date.UTC(2026, 10, 21) / 86_400_000)).toBe('21 Nov');
});

test('days and months have their names in British English', () => {
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  for (let n = 0; n < 12; n++) {
    const time = Date.UTC(2026, n, 9 + n);
    expect(dayName(time / 86_400_000)).toBe(day.format(time));
    expect(monthName(`2026-${String(n + 1).padStart(2, '0')}`)).toBe(month.format(time));
  }
});
