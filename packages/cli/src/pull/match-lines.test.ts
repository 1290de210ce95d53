import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchLines } from './match-lines.ts';

/** Returns the greatest number of lines that two texts have in common, in the same order. */
function mostInCommon(before: readonly string[], after: readonly string[]): number {
  let row = Array.from({ length: after.length + 1 }, () => 0);
  for (const line of before) {
    const next = [0];
    for (const [i, other] of after.entries())
      next.push(line === other ? row[i]! + 1 : Math.max(row[i + 1]!, next.at(-1)!));
    row = next;
  }
  return row.at(-1)!;
}

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 });

test('matchLines matches as many lines as possible, in order, and only equal lines', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const matched = [...matchLines(before, after)!];
      const pairs = matched.flatMap((at, index) => (at < 0 ? [] : [[at, index] as const]));
      expect(matched).toHaveLength(after.length);
      for (const [at, index] of pairs) expect(before[at]).toBe(after[index]);
      expect(pairs.map(([at]) => at)).toEqual([...new Set(pairs.map(([at]) => at))].toSorted((a, b) => a - b));
      expect(pairs).toHaveLength(mostInCommon(before, after));
    }),
  );
});

test('matchLines returns null for texts that differ in more than a thousand lines', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => String(i));
  expect(matchLines(many(100_000), [...many(100_000), 'x'])?.at(-1)).toBe(-1);
  expect(matchLines([], many(1000))?.every((at) => at === -1)).toBe(true);
  expect(matchLines([], many(1001))).toBeNull();
});
