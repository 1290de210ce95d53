import { type Absences, absencesOf, observedUntil } from './absence.ts';
import { oldestAcceptedMs } from './late-results.ts';
import type { MonitorState } from './monitor-state.ts';
import type { Thinned } from './thin-runs.ts';
import type { ShownTime, TimeSpan } from './unobserved-times.ts';
import { silentIntervals } from './verdict.ts';

/** The times before a probe's late result for which the status of the monitor is known. */
export interface LateTimes {
  /**
   * The time in which the monitor kept its status. It begins at the last result that could change the status. Null if a
   * later result of the monitor is already recorded, or if another region reported shortly before the late result.
   */
  kept: TimeSpan | null;
  /** The time for which the region's previous result shows the status; null if there is no such result. */
  shown: ShownTime | null;
}

/** A result of a probe. */
export interface ProbeReport {
  region: number;
  at: number;
  failed: boolean;
  /** Describes the results that the probe deleted directly before this result; null if there are none. */
  thinned: Thinned | null;
}

/**
 * Returns the times before a probe's late result for which the status of the monitor is known. A result shows the
 * status until the next result of the same region, but no longer than for three intervals.
 *
 * There is one exception. A probe deletes results if too many of them wait. If it deleted results between two results
 * with the same verdict, and checked without a long gap, the first result shows the status until the second. This holds
 * even beyond three intervals.
 */
export function lateTimes(state: MonitorState, seen: ProbeReport, intervalMs: number): LateTimes {
  const view = state.regions[seen.region];
  if (!view || state.status === 'paused') return { kept: null, shown: null };
  const allowedMs = silentIntervals * intervalMs;
  const judgedAt = Math.max(state.lastCheckedAt ?? 0, state.watchedSince);
  const isLatest = seen.at > Math.max(judgedAt, view.late?.at ?? 0) && !hasOtherReported(state, seen, allowedMs);
  const late = view.late && view.late.at < seen.at ? view.late : null;
  const isShownByLate = late !== null && late.at > judgedAt;
  // If the monitor became unobserved before the late result, its status is known only until that time.
  const keptUntil = Math.min(isShownByLate ? late.at : seen.at, judgedAt + allowedMs, state.unobservedSince ?? seen.at);
  const kept = isLatest ? { from: judgedAt, until: keptUntil } : null;

  const own = view.at !== null && view.at < seen.at ? { at: view.at, failed: view.failed } : null;
  const previous = (late?.at ?? 0) > (own?.at ?? 0) ? late : own;
  if (!previous) return { kept, shown: null };
  const { thinned } = seen;
  const isSteady =
    thinned !== null &&
    thinned.since <= previous.at &&
    thinned.longestGapMs <= allowedMs &&
    seen.failed === previous.failed;
  const endsAt = isSteady ? seen.at : Math.min(seen.at, previous.at + allowedMs);
  const until = previous === own ? Math.min(endsAt, state.unobservedSince ?? endsAt) : endsAt;
  return { kept, shown: { region: seen.region, failed: previous.failed, from: previous.at, until } };
}

/**
 * Whether another region has a result that is later than `seen`. If the other result arrived in time, it also counts if
 * it is at most three intervals older than `seen`.
 */
const hasOtherReported = (state: MonitorState, seen: ProbeReport, allowedMs: number): boolean =>
  Object.entries(state.regions).some(
    ([region, { at, late }]) =>
      Number(region) !== seen.region && ((at ?? 0) >= seen.at - allowedMs || (late?.at ?? 0) >= seen.at),
  );

/**
 * Whether a result that arrived in time ends a silence. It does in three cases: no result came for more than three
 * intervals; the region's latest result came too late; the region has not reported since the last unobserved time.
 */
export function isAfterSilence(
  state: MonitorState & { unobserved: readonly TimeSpan[] },
  seen: { region: number; at: number },
  intervalMs: number,
): boolean {
  const isLong = state.lastCheckedAt !== null && seen.at - state.lastCheckedAt > silentIntervals * intervalMs;
  const view = state.regions[seen.region];
  const unobservedUntil = state.unobserved.at(-1)?.until ?? 0;
  return isLong || view?.late !== undefined || unobservedUntil > (view?.at ?? 0);
}

/**
 * Returns the regions that may still send late results about a time. `seen` is a result that arrived at `now`, in epoch
 * milliseconds.
 */
export function mayStillReport(
  { regions }: Pick<MonitorState, 'regions'>,
  time: TimeSpan,
  seen: { region: number; at: number; isLate: boolean; now: number },
): number[] {
  if (time.until <= seen.now - oldestAcceptedMs) return [];
  // A region sends its results in order. So after a result that arrived in time, the region sends no result about an
  // earlier time. If a region reported nothing during the week before the unobserved time, it probably sends no result
  // about that time either.
  const reportedAt = (region: number) => {
    const at = regions[region]?.at ?? null;
    return region === seen.region && !seen.isLate ? Math.max(at ?? 0, seen.at) : at;
  };
  return Object.keys(regions)
    .map(Number)
    .filter((region) => {
      const at = reportedAt(region);
      return at !== null && at < time.until && at > time.until - oldestAcceptedMs;
    });
}

/**
 * Returns when a monitor begins to count as not observed, because no region reports about it any more. That is three
 * intervals after the last report. The time of absences is added to these intervals.
 */
export function unobservedSince(state: MonitorState, intervalMs: number, absences: Absences): number {
  const silentSince = Object.entries(state.regions).map(([region, { at, late }]) =>
    observedUntil(
      Math.max(state.watchedSince, at ?? 0, late?.at ?? 0),
      silentIntervals * intervalMs,
      absencesOf(absences, Number(region)).own,
    ),
  );
  return Math.max(state.watchedSince, ...silentSince);
}
