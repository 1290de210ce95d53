import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

test.each([
  ['nothing', [], 10, ''],
  ['one time', [50], 10, '▁'],
  ['times that are all the same', [50, 50, 50], 10, '▁▁▁'],
  ['the smallest time as the lowest bar, and the largest as the highest', [0, 100], 10, '▁█'],
  ['eight evenly spaced times as eight heights', [0, 1, 2, 3, 4, 5, 6, 7], 10, '▁▂▃▄▅▆▇█'],
  ['a failed check', [10, null, 20], 10, '▁×█'],
  ['only failed checks', [null, null], 10, '××'],
  ['one time beside a failed check', [null, 30], 10, '×▁'],
  ['only the latest times, if not all fit', [900, 0, 100], 2, '▁█'],
  ['bars whose heights depend only on the shown times', [1_000_000, 1, 2], 2, '▁█'],
])('a sparkline shows %s', (_, times, width, bars) => expect(sparkline(times, width)).toBe(bars));

test('a longer time never has a lower bar, and a sparkline has one character for each shown time', () => {
  const times = fc.array(fc.option(fc.double({ min: 0, max: 120_000, noNaN: true })), { maxLength: 30 });
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 40 }), (all, width) => {
      const shown = all.slice(-width);
      const drawn = Array.from(sparkline(all, width));
      expect(drawn).toHaveLength(shown.length);
      for (const [i, time] of shown.entries()) {
        expect(drawn[i] === '×').toBe(time === null);
        for (const [j, other] of shown.entries()) {
          if (time !== null && other !== null && time <= other) expect(drawn[i]! <= drawn[j]!).toBe(true);
        }
      }
    }),
  );
});
