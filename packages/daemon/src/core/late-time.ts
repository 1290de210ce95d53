import type { MonitorState } from './monitor-state.ts';
import type { Thinned } from './thin-runs.ts';
import type { TimeSpan } from './unobserved-times.ts';
import { silentIntervals } from './verdict.ts';

/** A time for which a probe's result shows the status of a monitor. It ends with this result, or before. */
export interface LateTime extends TimeSpan {
  status: MonitorState['status'];
  /** Whether the result is newer than all that was recorded of the monitor until now. */
  isLatest: boolean;
}

/** A result of a probe. Times are epoch milliseconds. */
export interface ProbeReport {
  region: number;
  at: number;
  failed: boolean;
  /** The results that the probe deleted before this one; null if it deleted none. */
  thinned: Thinned | null;
}

/**
 * Returns the status that a monitor had before a probe's late result, and when that status began and ended. The
 * previous result decides this status. The status lasted until the late result, but no longer than three intervals
 * after the previous result. It also lasted if the probe checked all that time, and deleted these results because too
 * many waited. Returns null if no result shows the status before the late result.
 *
 * If the late result is the latest of all regions, the previous result may be of another region. Otherwise it is of the
 * same region.
 */
export function lateTime(state: MonitorState, seen: ProbeReport, intervalMs: number): LateTime | null {
  const view = state.regions[seen.region];
  if (!view || state.status === 'paused') return null;
  const allowedMs = silentIntervals * intervalMs;
  const judgedAt = Math.max(state.lastCheckedAt ?? 0, state.watchedSince);
  const isLatest = seen.at > Math.max(judgedAt, view.late?.at ?? 0) && !hasOtherReported(state, seen, allowedMs);
  const late = view.late && view.late.at < seen.at ? view.late : null;
  if (isLatest && (late?.at ?? 0) <= judgedAt) {
    // If the checker became unable to check earlier, the status counts only until that time.
    const until = Math.min(seen.at, judgedAt + allowedMs, state.blindSince ?? seen.at);
    return { status: state.status, from: judgedAt, until, isLatest };
  }
  const own = view.at !== null && view.at < seen.at ? { at: view.at, failed: view.failed } : null;
  const previous = (late?.at ?? 0) > (own?.at ?? 0) ? late : own;
  if (!previous) return null;
  const { thinned } = seen;
  const isSteady =
    thinned !== null &&
    thinned.since <= previous.at &&
    thinned.longestGapMs <= allowedMs &&
    seen.failed === previous.failed;
  const until = isSteady ? seen.at : Math.min(seen.at, previous.at + allowedMs);
  return { status: previous.failed ? 'down' : 'up', from: previous.at, until, isLatest };
}

/** Whether another region reported in the three intervals before this result, or after it. */
const hasOtherReported = (state: MonitorState, seen: ProbeReport, allowedMs: number): boolean =>
  Object.entries(state.regions).some(
    ([region, { at, late }]) =>
      Number(region) !== seen.region && Math.max(at ?? 0, late?.at ?? 0) >= seen.at - allowedMs,
  );

/** Whether a result that arrived in time is the first after a silence, so that the status just before it is unknown. */
export function isAfterSilence(state: MonitorState, seen: { region: number; at: number }, intervalMs: number): boolean {
  const isLong = state.lastCheckedAt !== null && seen.at - state.lastCheckedAt > silentIntervals * intervalMs;
  return isLong || state.regions[seen.region]?.late !== undefined;
}

/**
 * Returns since when a monitor counts as not observed if no region reports about it any more. That is three intervals
 * after the last report.
 */
export function unobservedSince(state: MonitorState, intervalMs: number, observingSince: number): number {
  const reports = Object.values(state.regions).flatMap(({ at, late }) => [at ?? 0, late?.at ?? 0]);
  return Math.max(state.watchedSince, observingSince, ...reports) + silentIntervals * intervalMs;
}
