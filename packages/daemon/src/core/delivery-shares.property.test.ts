import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inTurns, placesFor } from './delivery-shares.ts';

const places = 500;
const demands = fc.array(fc.record({ project: fc.nat(8), wanted: fc.integer({ min: 1, max: 800 }) }), {
  maxLength: 30,
});

test('whatever projects ask for, a place stays free for the next one, and none exceeds its share', () => {
  fc.assert(
    fc.property(demands, (asked) => {
      const held = new Map<number, number>();
      let free = places;
      for (const { project, wanted } of asked) {
        const own = held.get(project) ?? 0;
        const given = placesFor({ held: own, free, wanted });
        expect(given).toBeGreaterThanOrEqual(0);
        expect(given).toBeLessThanOrEqual(wanted);
        held.set(project, own + given);
        free -= given;
        expect(free).toBeGreaterThan(0);
        // Only the share of the next project is held back.
        if (given < wanted) expect(held.get(project)).toBeGreaterThanOrEqual(free);
      }
      for (const own of held.values()) expect(own).toBeLessThanOrEqual(places / 2);
      expect(placesFor({ held: 0, free, wanted: 1 })).toBe(1);
    }),
  );
});

test("items come in turns of their owners, each owner's in its own order", () => {
  const things = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat()), { maxLength: 30 });
  fc.assert(
    fc.property(things, (all) => {
      const turned = inTurns(all, ([owner]) => owner);
      for (const owner of ['a', 'b', 'c']) {
        const own = (list: typeof all) => list.filter(([one]) => one === owner);
        expect(own(turned)).toEqual(own(all));
        // Before an owner's n-th item, no other owner has a later one.
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
