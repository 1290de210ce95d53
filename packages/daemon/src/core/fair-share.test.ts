import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { interleaveByOwner, mayTake } from './fair-share.ts';

describe('a fair share', () => {
  it('a fair share is half of the total for a single owner, and a third for each of two owners', () => {
    expect(mayTake({ maxItems: 100, used: 0, own: 0 })).toBe(50);
    expect(mayTake({ maxItems: 100, used: 50, own: 50 })).toBe(0);
    expect(mayTake({ maxItems: 99, used: 33, own: 0 })).toBe(33);
  });

  it('`mayTake` gives the last free item to an owner that has no item', () => {
    expect(mayTake({ maxItems: 3, used: 2, own: 0 })).toBe(1);
    expect(mayTake({ maxItems: 3, used: 2, own: 1 })).toBe(0);
    expect(mayTake({ maxItems: 3, used: 3, own: 0 })).toBe(0);
    expect(mayTake({ maxItems: 0.5, used: 0, own: 0 })).toBe(0);
  });

  it('`mayTake` leaves items for a new owner, even if all other owners take as many as they can, in any order', () => {
    const orders = fc.array(fc.nat(9), { minLength: 1, maxLength: 500 });
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 5000 }),
        orders,
        fc.integer({ min: 1, max: 400 }),
        (maxItems, order, step) => {
          const held = new Map<number, number>();
          let used = 0;
          for (const owner of order) {
            const own = held.get(owner) ?? 0;
            const taken = Math.min(step, mayTake({ maxItems, used, own }));
            held.set(owner, own + taken);
            used += taken;
            // If an owner got less than it wanted, it now has at least as many items as are still free.
            if (taken < step) expect(own + taken).toBeGreaterThanOrEqual(maxItems - used);
          }
          expect(used).toBeLessThanOrEqual(maxItems);
          for (const own of held.values())
            expect(own).toBeLessThanOrEqual(Math.max(1, maxItems - used + 1) + maxItems / 2);
          // Each owner takes at most half of the free items, apart from rounding. No owner gives an item back in this
          // test.
          const free = maxItems - used;
          expect(free).toBeGreaterThanOrEqual(Math.floor(maxItems / 2 ** held.size) - held.size);
          expect(mayTake({ maxItems, used, own: 0 })).toBeGreaterThanOrEqual(Math.min(1, free));
        },
      ),
    );
  });
});

test("interleaved owners take turns, and each owner's items keep their order", () => {
  const things = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat()), { maxLength: 30 });
  fc.assert(
    fc.property(things, (all) => {
      const turned = interleaveByOwner(all, ([owner]) => owner);
      for (const owner of ['a', 'b', 'c']) {
        const own = (list: typeof all) => list.filter(([one]) => one === owner);
        expect(own(turned)).toEqual(own(all));
        // Before an owner's n-th item in the list, there are at most n items of any other owner.
        own(turned).forEach((thing, turn) => {
          const before = turned.slice(0, turned.indexOf(thing));
          for (const other of ['a', 'b', 'c'])
            expect(before.filter(([one]) => one === other).length).toBeLessThanOrEqual(turn + 1);
        });
      }
      expect(turned).toHaveLength(all.length);
    }),
  );
});

test('the first item of each owner comes before the second item of any owner', () => {
  const items = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'];
  expect(interleaveByOwner(items, (item) => item[0]!)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});
