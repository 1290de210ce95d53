import type { FinishedCheck } from '../recording/record-outcome.ts';

/** The verdict of each monitor's latest check. */
export interface LatestVerdicts {
  /**
   * Records a check. Returns false if this check and the previous check of the same version of the monitor both passed.
   */
  isNew(check: Pick<FinishedCheck, 'monitor' | 'generation' | 'outcome'>): boolean;
}

export function createLatestVerdicts(): LatestVerdicts {
  const latest = new Map<number, string>();
  return {
    isNew({ monitor, generation, outcome }) {
      // The server counts each failed check as a round, so a failed check is always new.
      const current = `${generation} ${outcome.verdict}`;
      const isNew = outcome.verdict !== 'up' || latest.get(monitor) !== current;
      latest.set(monitor, current);
      return isNew;
    },
  };
}
