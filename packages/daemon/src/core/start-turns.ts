/**
 * An owner (a project) whose checks wait, and its credit for starting them. The credit is negative if the started
 * checks have cost more than the owner's turns were worth.
 */
export interface StartTurn {
  owner: string;
  credit: number;
}

/**
 * Returns the credits after one round of deficit round robin. Each owner gets an equal share of `worth`, the credit of
 * one round. The cost of a start is known only afterwards. So an owner may overdraw its credit, and then waits until
 * later rounds have paid for it. If all owners have overdrawn, each share grows, so that at least one owner can start
 * checks. Unused credit does not accumulate beyond a round.
 */
export function nextRound(turns: readonly StartTurn[], worth: number): StartTurn[] {
  if (turns.length === 0) return [];
  const best = Math.max(...turns.map(({ credit }) => credit));
  const each = worth / turns.length + Math.max(0, -best);
  return turns.map(({ owner, credit }) => ({ owner, credit: Math.min(worth, credit + each) }));
}

/** Returns how many checks an owner may start with its credit, at a cost of at least 1 each. */
export const startsOf = ({ credit }: StartTurn): number => Math.max(0, Math.floor(credit));
