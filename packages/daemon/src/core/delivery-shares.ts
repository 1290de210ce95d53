/**
 * How many more places a project gets of those in which messages are sent, when it holds `held` and `free` are left of
 * all. It takes another one only while more are free than it holds. So one project alone gets half of them, two a third
 * each, and whoever comes next finds a place free, although nobody gives one back.
 */
export const placesFor = ({ held, free, wanted }: { held: number; free: number; wanted: number }): number =>
  Math.max(0, Math.min(wanted, Math.ceil((free - held) / 2)));

/** Things of several owners in turns: one of each owner, then the next of each. The order within an owner stays. */
export function inTurns<T>(things: readonly T[], ownerOf: (thing: T) => string): T[] {
  const turns = new Map<string, number>();
  const placed = things.map((thing) => {
    const turn = turns.get(ownerOf(thing)) ?? 0;
    turns.set(ownerOf(thing), turn + 1);
    return { thing, turn };
  });
  return placed.toSorted((a, b) => a.turn - b.turn).map(({ thing }) => thing);
}
