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
  ['one that ended before', [from - 50_000], from],
  ['one that ended later', [from + 50_000, from + 20_000], from + 50_000],
  ['one that serves now', [from + 50_000, to - servingMs + 1], null],
  ['one whose last sign is just too old', [to - servingMs], to - servingMs],
  ['one whose clock is a little ahead', [to + servingMs], null],
  ['one whose clock is wrong', [to + servingMs + 1], from],
])('an absence begins with the last sign of life: %s', (_, signs, expected) => {
  expect(since(...signs)).toBe(expected);
});
