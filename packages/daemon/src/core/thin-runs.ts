/** A result that waits on a probe: its number, its monitor and its verdict. */
interface WaitingResult {
  seq: number;
  monitor: number;
  verdict: string;
}

/**
 * Returns a function for one pass over the waiting results of a probe. It takes the results in pieces, in their order.
 * It returns the numbers (`seq`) of the results that the probe may delete now.
 *
 * The probe may delete a result whose verdict is the same as that of the monitor's results before and after it. So the
 * results before and after each change of verdict are kept. In a long run of results with the same verdict, every
 * second result is kept. The function remembers the latest result of each monitor, because the results of many monitors
 * alternate, and a piece may have only one result of each monitor.
 */
export function createRunThinning(): (results: readonly WaitingResult[]) => number[] {
  const latest = new Map<number, { seq: number; verdict: string; before: string | null; keptBefore: boolean }>();
  return (results) => {
    const gone: number[] = [];
    for (const { seq, monitor, verdict } of results) {
      const last = latest.get(monitor);
      if (!last) {
        latest.set(monitor, { seq, verdict, before: null, keptBefore: true });
        continue;
      }
      const isGone = last.keptBefore && last.before === last.verdict && last.verdict === verdict;
      if (isGone) gone.push(last.seq);
      latest.set(monitor, { seq, verdict, before: last.verdict, keptBefore: !isGone });
    }
    return gone;
  };
}
