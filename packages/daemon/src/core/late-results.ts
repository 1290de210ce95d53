import { silentIntervals } from './verdict.ts';

/** A probe's result that is older than this is not stored. */
export const oldestAcceptedMs = 7 * 24 * 3_600_000;

/** A result younger than this is never too late, however short the interval is, because results need time to arrive. */
const alwaysInTimeMs = 10_000;

/** The fields of a probe's result that decide whether it may change the status. */
export interface ArrivedResult {
  monitor: number;
  /** When the check ended, in epoch milliseconds. */
  at: number;
  verdict: 'up' | 'down' | 'internal';
  /** Whether the probe already had a later result with another verdict. */
  over: boolean;
}

/**
 * Returns which of the results that arrived together may change the status of their monitor. The other results are only
 * stored.
 *
 * A result may not change the status if its check ended more than three intervals ago, or if a later result of its
 * monitor has another verdict. If the latest results of a monitor have the same verdict, all of them may change the
 * status, because each belongs to a round.
 */
export function judgedResults<R extends ArrivedResult>(
  results: readonly R[],
  now: number,
  intervalMsOf: (monitor: number) => number,
): Set<R> {
  const judged = new Set<R>();
  const latest = new Map<number, R['verdict']>();
  for (const result of results.toReversed()) {
    const { monitor, at, verdict, over } = result;
    const allowedMs = Math.max(alwaysInTimeMs, silentIntervals * intervalMsOf(monitor));
    if (verdict === 'internal') {
      // A checker fault has no effect if a later check has reached a verdict.
      if (!over && !latest.has(monitor) && at >= now - allowedMs) judged.add(result);
      continue;
    }
    const last = latest.get(monitor) ?? verdict;
    // Results before the last change of verdict are only stored, even those with the verdict of the latest result.
    latest.set(monitor, last === verdict ? verdict : 'internal');
    if (!over && last === verdict && at >= now - allowedMs) judged.add(result);
  }
  return judged;
}
