/** A result that waits on a probe: its number, its monitor and its verdict. */
interface WaitingResult {
  seq: number;
  monitor: number;
  verdict: string;
}

/** The latest result of a monitor in a pass. */
interface LatestResult {
  seq: number;
  verdict: string;
  /** The verdict of the result before it. */
  before: string | null;
  keptBefore: boolean;
  /** The number of runs of results with the same verdict, including the present one. */
  runs: number;
}

/** One pass over the waiting results of a probe. */
export interface RunThinning {
  /**
   * Takes the results in pieces, in their order. Returns the numbers (`seq`) of the results that the probe may delete
   * now.
   */
  deletable: (results: readonly WaitingResult[]) => number[];
  /** Returns the monitors that need more than an equal share of `most` for results that no pass may delete. */
  overShare(most: number): Set<number>;
}

/** Every monitor may keep this many results, even if an equal share is less. */
export const leastShare = 20;

/**
 * The probe may delete a result whose verdict is the same as that of the monitor's results before and after it. So the
 * results before and after each change of verdict are kept. In a long run of results with the same verdict, every
 * second result is kept. The function remembers the latest result of each monitor, because the results of many monitors
 * alternate, and a piece may have only one result of each monitor.
 */
export function createRunThinning(): RunThinning {
  const latest = new Map<number, LatestResult>();
  const deletable = (results: readonly WaitingResult[]) => {
    const gone: number[] = [];
    for (const { seq, monitor, verdict } of results) {
      const last = latest.get(monitor);
      if (!last) {
        latest.set(monitor, { seq, verdict, before: null, keptBefore: true, runs: 1 });
        continue;
      }
      const isGone = last.keptBefore && last.before === last.verdict && last.verdict === verdict;
      if (isGone) gone.push(last.seq);
      const runs = last.verdict === verdict ? last.runs : last.runs + 1;
      latest.set(monitor, { seq, verdict, before: last.verdict, keptBefore: !isGone, runs });
    }
    return gone;
  };
  return {
    deletable,
    overShare(most) {
      const share = Math.max(leastShare, Math.floor(most / latest.size));
      // The first and the last result of each run are kept.
      return new Set([...latest].filter(([, { runs }]) => runs * 2 > share).map(([monitor]) => monitor));
    },
  };
}
