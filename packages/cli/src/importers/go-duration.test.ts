import { expect, test } from 'vitest';
import { durationSeconds } from './go-duration.ts';

test.each([
  ['0s', 0],
  ['5s', 5],
  ['500ms', 0.5],
  ['1m', 60],
  ['1m30s', 90],
  ['1h0m1s', 3601],
  ['1.5h', 5400],
  ['2d', 172_800],
  ['1w', 604_800],
  ['90m', 5400],
])('the duration %s is %d seconds', (text, seconds) => expect(durationSeconds(text)).toBeCloseTo(seconds, 9));

test.each([
  '',
  '5',
  's',
  '5 s',
  '-5s',
  '5x',
  '5S',
  '1m 30s',
  '1h30',
  '.5s',
  '1e3s',
  `${'9'.repeat(10)}s`,
  5,
  null,
  undefined,
])('the value %j is not accepted as a duration', (text) => expect(durationSeconds(text)).toBeUndefined());
