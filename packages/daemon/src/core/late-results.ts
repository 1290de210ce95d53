import { silentIntervals } from './verdict.ts';

/** A younger result is never late, because a result needs time to reach the server. */
const alwaysInTimeMs = 10_000;

/** The relevant fields of a result from a probe. */
export interface ArrivedResult {
  monitor: number;
  /** When the check ended, in epoch milliseconds. */
  at: number;
  verdict: 'up' | 'down' | 'internal';
  /** Whether the probe already had a later result with another verdict. */
  over: boolean;
}

/**
 * Returns which of the results that arrive together are judged. The other results enter only the history. A result is
 * not judged if it ended more than three intervals ago, or if a later result of its monitor has another verdict. Such a
 * result is outdated, so it opens and closes no alert. Equal results at the end are all judged, because each of them is
 * a round.
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
      // A fault of the checker says nothing once a later check reached a verdict.
      if (!over && !latest.has(monitor) && at >= now - allowedMs) judged.add(result);
      continue;
    }
    const last = latest.get(monitor) ?? verdict;
    // Everything before a change of verdict is outdated, even results with the latest verdict.
    latest.set(monitor, last === verdict ? verdict : 'internal');
    if (!over && last === verdict && at >= now - allowedMs) judged.add(result);
  }
  return judged;
}
