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
  ['the scale of what is shown', [1_000_000, 1, 2], 2, '▁█'],
])('draws %s', (_, times, width, bars) => expect(sparkline(times, width)).toBe(bars));
