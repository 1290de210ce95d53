import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareRows } from './render-overview.ts';

test.each([
  ['each section gets all lines that it needs if there are enough lines', [3, 2], 10, [3, 2]],
  ['each section gets all lines that it needs if there are exactly enough lines', [3, 2], 5, [3, 2]],
  ['without sections, shareRows returns no shares', [], 10, []],
  [
    'a section that leaves out rows gets one line less, because one line shows how many rows are left out',
    [10],
    5,
    [4],
  ],
  ['a short section gets all lines that it needs', [1, 20], 10, [1, 7]],
  ['two long sections get the same number of lines', [20, 20], 12, [5, 5]],
  ['if one line is left over, the first section gets it', [20, 20], 11, [5, 4]],
  ['each section gets one line, even if there are no lines to divide', [5, 5, 5], 0, [1, 1, 1]],
  ['in a pipe, each section gets all lines that it needs', [500, 500], Infinity, [500, 500]],
])('%s', (_, needed, room, shares) => expect(shareRows(needed, room)).toEqual(shares));

test('every section gets at least one line and at most as many as it needs, and the sections together fit the screen', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 6 }),
      fc.integer({ min: 0, max: 100 }),
      (needed, room) => {
        const shares = shareRows(needed, room);
        for (const [i, share] of shares.entries()) expect(share).toBeLessThanOrEqual(needed[i]!);
        for (const share of shares) expect(share).toBeGreaterThanOrEqual(1);
        const cut = shares.filter((share, i) => share < needed[i]!).length;
        const lines = shares.reduce((sum, share) => sum + share, cut);
        expect(lines).toBeLessThanOrEqual(Math.max(room, 2 * needed.length));
      },
    ),
    { numRuns: 300 },
  );
});
