import type { MonitorStatus } from '@uptime/sdk/contract';
import type { MonitorState } from './monitor-state.ts';
import type { Thinned } from './thin-runs.ts';
import { silentIntervals } from './verdict.ts';

/** The status that a monitor had from its last rollup until a time in epoch milliseconds. */
export interface LateTime {
  status: MonitorStatus;
  until: number;
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
 * Returns the status that a monitor had before a probe's late result, and when that status ended. The previous result
 * decides this status. The status lasted until the late result, but no longer than three intervals after the previous
 * result. It also lasted if the probe checked all that time, and deleted these results because too many waited. Returns
 * null if the time before the late result is already counted. Also returns null if another region reported in the three
 * intervals before the late result.
 */
export function lateTime(state: MonitorState, seen: ProbeReport, intervalMs: number): LateTime | null {
  const view = state.regions[seen.region];
  if (!view || state.status === 'paused') return null;
  const allowedMs = silentIntervals * intervalMs;
  const hasOtherReported = Object.entries(state.regions).some(
    ([region, { at, late }]) =>
      Number(region) !== seen.region && Math.max(at ?? 0, late?.at ?? 0) >= seen.at - allowedMs,
  );
  if (hasOtherReported) return null;
  const judgedAt = Math.max(state.lastCheckedAt ?? 0, state.watchedSince);
  const late = view.late && view.late.at > judgedAt ? view.late : null;
  const before = late?.at ?? judgedAt;
  if (seen.at <= before) return null;
  const until = Math.min(seen.at, before + allowedMs);
  if (late) {
    const { thinned } = seen;
    const isSteady =
      thinned !== null && thinned.since <= late.at && thinned.longestGapMs <= allowedMs && seen.failed === late.failed;
    return { status: late.failed ? 'down' : 'up', until: isSteady ? seen.at : until };
  }
  // If the checker became unable to check earlier, the status counts only until that time.
  return { status: state.status, until: Math.min(until, state.blindSince ?? until) };
}

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
