/** An owner that waits for its turns, and how much it may start: below zero it has started more than its turns were worth. */
export interface StartTurn {
  owner: string;
  credit: number;
}

/**
 * One round of a deficit round robin: shares `worth` among these owners. What a start costs is known only after it, so an
 * owner may overdraw its credit, and waits for rounds until it has paid. Where all have overdrawn, the round is worth so
 * much more that none passes idle: at least one owner gets a whole part of it. Credit
 * that an owner could not use does not pile up beyond a round.
 */
export function nextRound(turns: readonly StartTurn[], worth: number): StartTurn[] {
  if (turns.length === 0) return [];
  const best = Math.max(...turns.map(({ credit }) => credit));
  const each = worth / turns.length + Math.max(0, -best);
  return turns.map(({ owner, credit }) => ({ owner, credit: Math.min(worth, credit + each) }));
}

/** How many starts an owner's credit is good for, where one costs 1 or more. */
export const startsOf = ({ credit }: StartTurn): number => Math.max(0, Math.floor(credit));

/** Orders items so that each owner's first comes before any owner's second, and so on. Keeps each owner's own order. */
export function interleave<T>(items: readonly T[], ownerOf: (item: T) => string): T[] {
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
