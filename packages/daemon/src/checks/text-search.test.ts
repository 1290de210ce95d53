import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextSearch } from './text-search.ts';

test('a search finds what `includes` finds, however the searched text is split', () => {
  const letters = fc.constantFrom('a', 'b', 'ä', '😀');
  const text = (minLength: number, maxLength: number) => fc.string({ unit: letters, minLength, maxLength });
  fc.assert(
    fc.property(text(1, 12), fc.array(text(0, 30), { maxLength: 8 }), (wanted, pieces) => {
      const search = createTextSearch(wanted);
      let found = false;
      for (const piece of pieces) found = search.take(piece);
      expect(found).toBe(pieces.join('').includes(wanted));
    }),
    { numRuns: 3000 },
  );
});

test('a search finds a text that is split between two pieces, wherever the split is', () => {
  const wanted = 'abcabcabcabd';
  const whole = `abcabcabc${wanted}abc`;
  for (let cut = 0; cut <= whole.length; cut++) {
    const search = createTextSearch(wanted);
    search.take(whole.slice(0, cut));
    expect(search.take(whole.slice(cut))).toBe(true);
  }
});

test('a search takes linear time for texts that make other searches quadratic', () => {
  const body = 'a'.repeat(64 * 1024);
  for (const wanted of [
    `${'a'.repeat(500)}b${'a'.repeat(9499)}`,
    `${'a'.repeat(9999)}b`,
    `b${'a'.repeat(9999)}`,
    `${'a'.repeat(5)}b`,
    'ab'.repeat(5000),
  ]) {
    const cpuTimes = [0, 1, 2].map(() => {
      const from = process.cpuUsage();
      const search = createTextSearch(wanted);
      for (let piece = 0; piece < 16; piece++) expect(search.take(body)).toBe(false);
      const { user } = process.cpuUsage(from);
      return user / 1000;
    });
    // A quadratic search takes 3 s. The best of three runs counts, because other work may slow down a run.
    expect(Math.min(...cpuTimes), wanted.slice(0, 6)).toBeLessThan(400);
  }
});
