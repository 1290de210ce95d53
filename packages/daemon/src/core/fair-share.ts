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

/** Orders items so that each owner's first comes before any owner's second, and so on. Keeps each owner's own order. */
export function interleaveByOwner<T>(items: readonly T[], ownerOf: (item: T) => string): T[] {
  const counts = new Map<string, number>();
  return items
    .map((item) => {
      const turn = counts.get(ownerOf(item)) ?? 0;
      counts.set(ownerOf(item), turn + 1);
      return { item, turn };
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ item }) => item);
}
