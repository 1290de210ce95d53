import { expect, it } from 'vitest';
import { noAbsence, observedMs, servingMs, unservedSince, withEarlier } from './absence.ts';

const [from, to] = [100_000, 200_000];
const since = (...signs: number[]) =>
  unservedSince(
    from,
    to,
    signs.map((aliveAt) => ({ aliveAt })),
  );

it.each([
  ['without another daemon, no daemon has served since the absence began', [], from],
  ['if another daemon ended before the absence, no daemon has served since the absence began', [from - 50_000], from],
  [
    'if two daemons ended during the absence, no daemon has served since the later end',
    [from + 50_000, from + 20_000],
    from + 50_000,
  ],
  ['if another daemon serves now, there is no time without a daemon', [from + 50_000, to - servingMs + 1], null],
  [
    'if the last sign of life of another daemon is too old, no daemon has served since that sign',
    [to - servingMs],
    to - servingMs,
  ],
  ['if the clock of another daemon is a little ahead, that daemon counts as serving', [to + servingMs], null],
  ['if the clock of another daemon is wrong, its sign of life is ignored', [to + servingMs + 1], from],
])('%s', (_, signs, expected) => {
  expect(since(...signs)).toBe(expected);
});

it.each([
  ['all time counts without an absence', 0, noAbsence, 100],
  ['all time counts after an absence', 50, { from: 10, to: 40 }, 50],
  ['an absence in between does not count', 0, { from: 10, to: 40 }, 70],
  ['the part of an absence before the start does not matter', 20, { from: 10, to: 40 }, 60],
  ['an absence that still lasts does not count', 0, { from: 60, to: 130 }, 60],
])('%s', (_, start, absence, expected) => {
  expect(observedMs(start, 100, absence)).toBe(expected);
});

it.each([
  ['keeps an absence without an earlier one', null, { from: 1000, to: 1500 }],
  [
    'keeps an absence if the daemons ran for longer than they were absent before',
    { from: 0, to: 300 },
    { from: 1000, to: 1500 },
  ],
  [
    'lets an absence begin earlier if the daemons ran only briefly before it',
    { from: 0, to: 990 },
    { from: 20, to: 1500 },
  ],
  ['keeps an absence that began during the earlier one', { from: 0, to: 1200 }, { from: 1000, to: 1500 }],
])('withEarlier %s', (_, earlier, expected) => {
  expect(withEarlier({ from: 1000, to: 1500 }, earlier)).toEqual(expected);
});

it('counts at most twice the time between two absences for a report from before both', () => {
  const absence = withEarlier({ from: 3_610, to: 7_210 }, { from: 0, to: 3_600 });
  expect(observedMs(0, 7_215, absence)).toBe(2 * 10 + 5);
});
