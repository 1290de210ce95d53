/**
 * How many items owners share (`maxItems`), how many all owners use together (`used`), and how many one owner uses
 * (`own`).
 */
export interface Share {
  maxItems: number;
  used: number;
  own: number;
}

/**
 * Returns how many more items an owner may take. An owner may take another item only while more items are free than it
 * already uses. So a single owner gets half of all items, and each of two owners gets a third. A new owner finds free
 * items at once, and does not wait until another owner returns items.
 */
export const mayTake = ({ maxItems, used, own }: Share): number =>
  Math.max(0, Math.ceil((Math.floor(maxItems) - used - own) / 2));

/**
 * Orders items so that every owner's first item comes before any owner's second item, and so on. The items of one owner
 * keep their order.
 */
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
