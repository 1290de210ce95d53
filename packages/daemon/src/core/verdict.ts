import type { CheckError } from '@uptime/sdk/contract';
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

  const failed = seen.error !== null;
  const regions = { ...state.regions, [seen.region]: { at: seen.at, failed, fresh: true } };
  const next: MonitorState = {
    ...state,
    regions,
    lastCheckedAt: seen.at,
    blindSince: null,
  };

  const counted = countedRegions(regions, seen.at, state.watchedSince, rules);
  const failing = counted.filter((region) => region.failed && region.at !== null).length;
  const passing = counted.filter((region) => !region.failed && region.at !== null).length;
  const down = failing * 2 > counted.length;
  const up = passing * 2 > counted.length;

  if (failed && next.failingSince === null) next.failingSince = seen.at;
  // A change of status closes the round too: who waits for one failed round hears of it when the monitor goes down.
  const turned = (down && state.status !== 'down') || (up && state.status !== 'up');
  if (turned || counted.every((region) => region.fresh)) closeRound(next, down, up);

  if (down) return moveTo(next, 'down', seen.at, seen.error ?? state.error);
  if (up) return moveTo(next, 'up', seen.at, null);
  return { state: next, transition: null };
}

/** Every counted region has reported, or the status changed: the round failed, or it did not. */
function closeRound(state: MonitorState, down: boolean, up: boolean): void {
  for (const [region, view] of Object.entries(state.regions)) state.regions[Number(region)] = { ...view, fresh: false };
  if (down) {
    state.failures += 1;
  } else if (up) {
    state.failures = 0;
    state.failingSince = null;
  }
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
