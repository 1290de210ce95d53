import type { CheckError, MonitorStatus } from '@uptime/sdk/contract';
import { type Absences, absencesOf, isInAbsence, observedMs } from './absence.ts';
import { type MonitorState, moveTo, type RegionView, type Step } from './monitor-state.ts';

/** A region that has not reported for this many intervals is silent: its last result is left out of the verdict. */
export const silentIntervals = 3;

/**
 * A result may arrive after a newer result of its region, but it is then older by less than this many milliseconds. If
 * a result seems to be even older, the clock was set back before its check. So it is really the latest result.
 */
const overtakenMs = 60_000;

/**
 * A failed check belongs to a new round if it began at least an interval after the region's check in the round before.
 * The failed check may be up to this many milliseconds early.
 */
export const jitterMs = 50;

/** One check that reached a verdict. */
export interface Observation {
  region: number;
  /**
   * The nominal start of the check, in epoch milliseconds: see `roundOf` in schedule.ts. Rounds are counted by this
   * time.
   */
  begunAt: number;
  /** When the check ended. */
  at: number;
  /** Whether a user asked for the check. A requested check may change the status, but belongs to no round. */
  requested: boolean;
  /** Null for a passed check. */
  error: CheckError | null;
  /**
   * Only for a result of a probe: when it arrived. The results of one probe arrive in order, but newer results of other
   * regions may arrive before them.
   */
  arrivedAt?: number;
}

/** The inputs of the verdict, in addition to the state and the result. */
export interface VerdictRules {
  /** Time between checks. */
  intervalMs: number;
  /** The latest absences. Their time does not make a region silent. */
  absences: Absences;
}

/**
 * Applies one result to the state. The monitor goes down when a majority of its regions' latest results failed, and up
 * again when a majority passed. Otherwise the status stays. A result that is older than the latest result of its region
 * changes nothing.
 *
 * While the monitor is down, failed rounds are counted. A failed check counts for a round only if it began at least an
 * interval after the region's check in the round before. Any two majorities share a region, so n failed rounds take
 * more than n - 2 intervals.
 */
export function observeCheck(state: MonitorState, seen: Observation, rules: VerdictRules): Step {
  const latest = state.regions[seen.region];
  if (state.status === 'paused' || !latest) return { state, transition: null };
  if (latest.at !== null && seen.at <= latest.at) {
    // The clock of a probe never goes back. So if a probe's result is older than the latest result of its region, the
    // newer result arrived first.
    const isOvertaken = seen.arrivedAt !== undefined || latest.at - seen.at < overtakenMs;
    if (isOvertaken) return { state, transition: null };
  }

  const regions = { ...state.regions, [seen.region]: viewAfter(latest, seen, state.status, rules.intervalMs) };
  const lastCheckedAt = seen.arrivedAt === undefined ? seen.at : Math.max(seen.at, state.lastCheckedAt ?? 0);
  const next: MonitorState = { ...state, regions, lastCheckedAt, unobservedSince: null };
  // A probe's result may be older than the last change of status, which a result of another region caused. The times of
  // changes must stay in order.
  const at = seen.arrivedAt === undefined ? seen.at : Math.max(seen.at, state.since);

  const counted = countedRegions(regions, seen, state, rules);
  const isMajority = (views: readonly RegionView[]) => views.length * 2 > counted.length;
  const failing = counted.filter((region) => region.failed && region.at !== null);
  if (isMajority(counted.filter((region) => !region.failed && region.at !== null))) {
    return moveTo({ ...next, failures: 0, failingSince: null }, 'up', at, null);
  }
  if (!isMajority(failing))
    return { state: counted.every(hasReported) ? openRound(next, hasReported) : next, transition: null };

  next.failingSince ??= Math.min(...failing.map((region) => region.at ?? seen.at));
  // If the monitor goes down now, its first round opens. Each region whose scheduled check failed has reported in that
  // round.
  const enter = state.status === 'down' ? (region: RegionView) => region : inFirstRound;
  const open = { ...next, regions: mapViews(regions, enter) };
  // A round has failed as soon as a majority of regions failed in it. So a region that is late or has stopped does not
  // delay an alarm.
  const reported = failing.map(enter).filter((region) => hasFailed(region) && hasReported(region));
  const failed = !seen.requested && isMajority(reported);
  const counting = failed ? openRound({ ...open, failures: next.failures + 1 }, hasReported) : open;
  return moveTo(counting, 'down', at, seen.error ?? state.error);
}

const hasReported = (region: RegionView) => region.round === 'reported';
/** Whether a scheduled check of the region failed. A requested check does not count here. */
const hasFailed = (region: RegionView) => region.failed && region.began !== null;

function viewAfter(latest: RegionView, seen: Observation, status: MonitorStatus, intervalMs: number): RegionView {
  const { late: _, ...judged } = latest;
  const view = { ...judged, at: seen.at, failed: seen.error !== null };
  if (seen.requested) return view.failed ? view : { ...view, began: null };
  if (view.failed && latest.began !== null && seen.begunAt < latest.began + intervalMs - jitterMs) return view;
  const inRound = status === 'down' && latest.round !== 'missed';
  return { ...view, round: inRound ? 'reported' : 'due', began: view.failed ? seen.begunAt : null };
}

const inFirstRound = (region: RegionView): RegionView => ({ ...region, round: hasFailed(region) ? 'reported' : 'due' });

/**
 * Returns the state after the present round is closed and the next round is opened. Regions that took part in the
 * closed round are due again. The other regions still have to report for the closed round.
 */
const openRound = (state: MonitorState, tookPart: (region: RegionView) => boolean): MonitorState => ({
  ...state,
  regions: mapViews(state.regions, (region) => ({ ...region, round: tookPart(region) ? 'due' : 'missed' })),
});

function mapViews(regions: MonitorState['regions'], change: (region: RegionView) => RegionView) {
  const views = Object.entries(regions).map(([number, region]) => [number, change(region)]);
  return Object.fromEntries(views) as MonitorState['regions'];
}

/** Returns the regions whose results count: the region that reports now, and each other region that is not silent. */
function countedRegions(
  regions: Record<number, RegionView>,
  seen: Pick<Observation, 'region' | 'at' | 'arrivedAt'>,
  { watchedSince, since }: Pick<MonitorState, 'watchedSince' | 'since'>,
  rules: VerdictRules,
): RegionView[] {
  const now = seen.arrivedAt ?? seen.at;
  return Object.entries(regions)
    .filter(
      ([region, view]) =>
        Number(region) === seen.region || !isSilent(Number(region), view, { now, watchedSince, since }, rules),
    )
    .map(([, view]) => view);
}

/**
 * Whether a region has sent no report for three intervals. Time before the monitor was watched does not count, and the
 * time of absences does not count either. An absence does not end a silence: only a report does. `since` is the last
 * change of status.
 */
export function isSilent(
  region: number,
  view: RegionView,
  { now, watchedSince, since }: { now: number; watchedSince: number; since: number },
  { intervalMs, absences }: VerdictRules,
): boolean {
  const reportedAt = Math.max(view.at ?? 0, watchedSince);
  const allowedMs = silentIntervals * intervalMs;
  if (now - reportedAt <= allowedMs) return false;
  const { own, other } = absencesOf(absences, region);
  // During an absence in `own`, one kind of work stopped: receiving or checking. So no results of this region could
  // arrive. Nodes that did the other kind of work learned of the absence only when it ended. Until then, they may have
  // left out this region, and the status may have changed without the region. An older report of the region must not
  // undo that change.
  if (reportedAt < since && isInAbsence(since, own) && observedMs(reportedAt, since, other) > allowedMs) return true;
  return observedMs(reportedAt, now, own) > allowedMs;
}
