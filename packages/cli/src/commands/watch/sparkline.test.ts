import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

test.each([
  ['nothing', [], 10, ''],
  ['one time', [50], 10, '▁'],
  ['times that are all the same', [50, 50, 50], 10, '▁▁▁'],
  ['the least and the most', [0, 100], 10, '▁█'],
  ['steps of the same height', [0, 1, 2, 3, 4, 5, 6, 7], 10, '▁▂▃▄▅▆▇█'],
  ['a failed check', [10, null, 20], 10, '▁×█'],
  ['only failed checks', [null, null], 10, '××'],
  ['one time beside a failed check', [null, 30], 10, '×▁'],
  ['more times than fit: the latest', [900, 0, 100], 2, '▁█'],
  ['bars whose scale depends only on the shown times', [1_000_000, 1, 2], 2, '▁█'],
])('draws %s', (_, times, width, bars) => expect(sparkline(times, width)).toBe(bars));

test('a longer time never has a lower bar, and a sparkline is as wide as its latest times', () => {
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
