/**
 * How many more delivery places a project gets when it holds `held` and `free` of all are left. It takes another one
 * only while more are free than it holds. So one project gets half of them, and two get a third each. A newcomer finds
 * a free place even if none is given back.
 */
export const placesFor = ({ held, free, wanted }: { held: number; free: number; wanted: number }): number =>
  Math.max(0, Math.min(wanted, Math.ceil((free - held) / 2)));

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
