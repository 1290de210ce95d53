import { expect, test } from 'vitest';
import { heartbeatFields, longestGapSeconds } from './cron.ts';
import { durationSeconds } from './go-duration.ts';

const [minute, hour, day] = [60, 3600, 86_400];

test.each([
  ['* * * * *', minute],
  ['*/15 * * * *', 15 * minute],
  ['5,10 * * * *', 55 * minute],
  ['0 */6 * * *', 6 * hour],
  ['30 2 * * *', day],
  ['0 9-17 * * mon-fri', 2 * day + 16 * hour],
  ['0 0 * * 7', 7 * day],
  ['0 0 * * 0,3', 4 * day],
  ['0 0 1 * *', 31 * day],
  ['0 0 31 * *', 61 * day],
  ['0 0 1 * mon', 7 * day],
  ['0 0 29 feb *', (4 * 365 + 1) * day],
  ['@daily', day],
  ['@HOURLY', hour],
  ['10/20 * * * *', 20 * minute],
])('the longest time from one run of %s to the next is %i seconds', (expression, gap) => {
  expect(longestGapSeconds(expression)).toBe(gap);
});

test.each([
  '',
  '* * * *',
  '60 * * * *',
  '* * * * * *',
  '*/0 * * * *',
  '5-1 * * * *',
  'a * * * *',
  '0 0 30 2 *',
  '@reboot',
  '1--2 * * * *',
])('the text %j is not accepted as a schedule', (expression) => {
  expect(longestGapSeconds(expression)).toBe(null);
});

test('if runs are further apart than the longest interval, the grace period covers the rest; both together cover up to 37 days', () => {
  expect(heartbeatFields(day, hour)).toEqual({ interval: day, gracePeriod: hour });
  expect(heartbeatFields(31 * day, hour)).toEqual({ interval: 30 * day, gracePeriod: day + hour });
  expect(heartbeatFields(37 * day, day)).toEqual({ interval: 30 * day, gracePeriod: 7 * day });
  expect(heartbeatFields(38 * day, hour)).toBe(null);
});

test.each([
  ['1m30s', 90],
  ['500ms', 0.5],
  ['1.5h', 5400],
  ['10', undefined],
  ['', undefined],
])('the duration %j is read as %j seconds', (text, seconds) => {
  expect(durationSeconds(text)).toBe(seconds);
});
