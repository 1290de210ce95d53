import { expect, it } from 'vitest';
import { servingMs, unservedSince } from './absence.ts';

const [from, to] = [100_000, 200_000];
const since = (...signs: number[]) =>
  unservedSince(
    from,
    to,
    signs.map((aliveAt) => ({ aliveAt })),
  );

it.each([
  ['no other daemon', [], from],
  ['another daemon that ended before the absence', [from - 50_000], from],
  ['two daemons that ended during the absence', [from + 50_000, from + 20_000], from + 50_000],
  ['another daemon that serves now', [from + 50_000, to - servingMs + 1], null],
  ['another daemon whose last sign of life is just too old', [to - servingMs], to - servingMs],
  ['another daemon whose clock is a little ahead', [to + servingMs], null],
  ['another daemon whose clock is wrong', [to + servingMs + 1], from],
])('after an absence, a daemon finds out since when no daemon has served: with %s', (_, signs, expected) => {
  expect(since(...signs)).toBe(expected);
});
