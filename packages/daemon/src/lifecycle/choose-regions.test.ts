import { expect, test } from 'vitest';
import { chooseRegions } from './choose-regions.ts';

const served = (id: number) => ({ id, served: true, silent: false });
const late = (id: number) => ({ id, served: false, silent: false });
const silent = (id: number) => ({ id, served: false, silent: true });

test.each([
  [
    'without a limit keeps a retired region, and gets all other regions',
    [1, 2],
    null,
    [served(2), silent(3)],
    [1, 2, 3],
  ],
  ['that is new gets served regions first', [], 2, [served(2), served(3), silent(1)], [2, 3]],
  ['that is new gets a silent region if no other region is left', [], 2, [served(2), silent(1)], [2, 1]],
  ['loses a retired region', [1], 1, [served(2)], [2]],
  ['loses a retired region, and keeps a silent region', [1, 2], 2, [served(3), silent(2)], [3, 2]],
  ['keeps its region if other regions are served too', [2], 1, [served(1), served(2)], [2]],
  ['keeps its region if that region is only late', [2], 1, [served(1), late(2)], [2]],
  [
    'keeps its silent region while another of its regions reports',
    [1, 2],
    2,
    [served(2), served(3), silent(1)],
    [2, 1],
  ],
  ['gets a served region if all its regions are silent', [1, 2], 2, [served(3), silent(1), silent(2)], [3, 1]],
  ['keeps its silent region if no region is served', [2], 1, [silent(1), silent(2)], [2]],
  ['keeps its served region if its limit shrinks', [1, 2], 1, [served(2), silent(1)], [2]],
  ['has no region if all regions are retired', [1], 1, [], []],
])('a monitor %s', (_, has, limit, usable, expected) => {
  expect(chooseRegions(has, { limit, usable })).toEqual(expected);
});
