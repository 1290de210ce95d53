/** The total that all owners share, how much of it is used, and how much one owner uses. */
export interface Share {
  most: number;
  used: number;
  own: number;
}

/**
 * Returns how many more items an owner may take. An owner may take another item only while more are free than it holds.
 * So a single owner gets half, and two get a third each. A new owner finds room at once, although no owner has to
 * return an item.
 */
export const mayTake = ({ most, used, own }: Share): number =>
  Math.max(0, Math.ceil((Math.floor(most) - used - own) / 2));

/** Orders items in turns: one of each owner, then the next of each. The order within an owner stays. */
export function inTurns<T>(things: readonly T[], ownerOf: (thing: T) => string): T[] {
  const turns = new Map<string, number>();
  const placed = things.map((thing) => {
    const turn = turns.get(ownerOf(thing)) ?? 0;
    turns.set(ownerOf(thing), turn + 1);
    return { thing, turn };
  });
  return placed.toSorted((a, b) => a.turn - b.turn).map(({ thing }) => thing);
}
