import type { CheckError, MonitorStatus } from '@uptime/sdk/contract';
import { type MonitorState, moveTo, type RegionView, type Step } from './monitor-state.ts';

/** A region that has not reported for so many intervals is left out of the count. */
export const silentIntervals = 3;

/**
 * Results of a region can overtake each other by less than this, in milliseconds. One that seems older still comes from
 * before the clock was set back, and is the latest.
 */
const overtaken = 60_000;

/** One check that reached a verdict. */
export interface Observation {
  region: number;
  /** Epoch milliseconds at which the check was over. */
  at: number;
  /** Null for a passed check. */
  error: CheckError | null;
}

/** What the verdict depends on beside the state. */
export interface VerdictRules {
  /** Milliseconds between checks. */
  interval: number;
  /** Before this instant nobody was watching: a region's silence from then does not count against it. */
  observingSince: number;
}

/**
 * Takes one result into the state. The monitor goes down when a majority of its regions' latest results failed, and up
 * again when a majority passed; with neither it stays. A result that its region's latest has overtaken changes nothing.
 */
export function observeCheck(state: MonitorState, seen: Observation, rules: VerdictRules): Step {
  const latest = state.regions[seen.region];
  if (state.status === 'paused' || !latest) return { state, transition: null };
  if (latest.at !== null && seen.at <= latest.at && latest.at - seen.at < overtaken) return { state, transition: null };

  const regions = { ...state.regions, [seen.region]: viewAfter(latest, seen, state.status) };
  const next: MonitorState = { ...state, regions, lastCheckedAt: seen.at, blindSince: null };

  const counted = countedRegions(regions, seen.at, state.watchedSince, rules);
  const isMajority = (views: readonly RegionView[]) => views.length * 2 > counted.length;
  const failing = counted.filter((region) => region.failed && region.at !== null);
  if (isMajority(counted.filter((region) => !region.failed && region.at !== null))) {
    return moveTo({ ...next, failures: 0, failingSince: null }, 'up', seen.at, null);
  }
  if (!isMajority(failing))
    return { state: counted.every(hasReported) ? openRound(next, hasReported) : next, transition: null };

  next.failingSince ??= Math.min(...failing.map((region) => region.at ?? seen.at));
  if (state.status !== 'down') {
    // The first failure of each region belongs to the first round, with which the monitor goes down.
    const first = openRound({ ...next, failures: 1 }, (region) => region.failed);
    return moveTo(first, 'down', seen.at, seen.error ?? state.error);
  }
  // A round has failed once a majority failed in it: a region that is late, or gone, does not put off an alarm.
  const failed = isMajority(failing.filter(hasReported));
  const counting = failed ? openRound({ ...next, failures: next.failures + 1 }, hasReported) : next;
  return moveTo(counting, 'down', seen.at, seen.error ?? state.error);
}

const hasReported = (region: RegionView) => region.round === 'reported';

function viewAfter(latest: RegionView, seen: Observation, status: MonitorStatus): RegionView {
  const inRound = status === 'down' && latest.round !== 'missed';
  return { at: seen.at, failed: seen.error !== null, round: inRound ? 'reported' : 'due' };
}

/** The round is over: whoever took part is due again, and the others have it to report still. */
function openRound(state: MonitorState, tookPart: (region: RegionView) => boolean): MonitorState {
  const regions = Object.entries(state.regions).map(([number, region]) => [
    number,
    { ...region, round: tookPart(region) ? 'due' : 'missed' },
  ]);
  return { ...state, regions: Object.fromEntries(regions) as MonitorState['regions'] };
}

/** The regions that have a say: all but those that stayed silent for three intervals of being watched. */
function countedRegions(
  regions: Record<number, RegionView>,
  now: number,
  watchedSince: number,
  rules: VerdictRules,
): RegionView[] {
  const since = Math.max(watchedSince, rules.observingSince);
  const horizon = now - silentIntervals * rules.interval;
  return Object.values(regions).filter((region) => Math.max(region.at ?? 0, since) >= horizon);
}
