import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareRows } from './render-overview.ts';

test.each([
  ['everything fits', [3, 2], 10, [3, 2]],
  ['everything fits exactly', [3, 2], 5, [3, 2]],
  ['nothing to show', [], 10, []],
  ['one section is cut, and a line says how much more there is', [10], 5, [4]],
  ['a short section stays whole', [1, 20], 10, [1, 7]],
  ['long sections share the room', [20, 20], 12, [5, 5]],
  ['the first section gets the odd line', [20, 20], 11, [5, 4]],
  ['each section keeps a line, even without room', [5, 5, 5], 0, [1, 1, 1]],
  ['a pipe has room for all', [500, 500], Infinity, [500, 500]],
])('%s', (_, needed, room, shares) => expect(shareRows(needed, room)).toEqual(shares));

test('no section gets more lines than it needs or less than one, and all fit into the room', () => {
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
