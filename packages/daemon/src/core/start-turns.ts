/**
 * An owner whose checks wait (a project), and its credit for starting them. The credit is negative if its checks have
 * cost more than its turns were worth.
 */
export interface StartTurn {
  owner: string;
  credit: number;
}

/**
 * One round of deficit round robin: shares `worth` among the owners. A start's cost is known only afterwards. So an
 * owner may overdraw its credit, and then waits until later rounds have paid for it. If all have overdrawn, the round
 * grows until at least one owner gets a full share. Unused credit does not accumulate beyond a round.
 */
export function nextRound(turns: readonly StartTurn[], worth: number): StartTurn[] {
  if (turns.length === 0) return [];
  const best = Math.max(...turns.map(({ credit }) => credit));
  const each = worth / turns.length + Math.max(0, -best);
  return turns.map(({ owner, credit }) => ({ owner, credit: Math.min(worth, credit + each) }));
}

/** How many checks the credit of an owner allows, at a cost of at least 1 each. */
export const startsOf = ({ credit }: StartTurn): number => Math.max(0, Math.floor(credit));
