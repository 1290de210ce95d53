import type { FinishedCheck } from '../recording/record-outcome.ts';

/** The verdict of each monitor's latest check. */
export interface LatestVerdicts {
  /** Records a check, and returns whether it says something that the previous one did not. */
  isNew(check: Pick<FinishedCheck, 'monitor' | 'generation' | 'outcome'>): boolean;
}

export function createLatestVerdicts(): LatestVerdicts {
  const latest = new Map<number, string>();
  return {
    isNew({ monitor, generation, outcome }) {
      // Each failed check is a round, so it always counts as new.
      const current = `${generation} ${outcome.verdict}`;
      const isNew = outcome.verdict !== 'up' || latest.get(monitor) !== current;
      latest.set(monitor, current);
      return isNew;
    },
  };
}
