import type { MonitorState } from './monitor-state.ts';
import { isSilent, type VerdictRules } from './verdict.ts';

/** A region's latest report about a monitor. */
export interface RegionReport {
  region: number;
  /**
   * `unknown` if the region has not reported for three intervals or has never reported, or if the monitor is paused.
   */
  status: 'up' | 'down' | 'unknown';
  /** When the region's latest check ended, in epoch milliseconds; null if the region has not reported. */
  at: number | null;
}

/** Returns the latest report of each region of a monitor, in the order of the regions' numbers. */
export function regionReports(state: MonitorState, now: number, rules: VerdictRules): RegionReport[] {
  return Object.entries(state.regions).map(([region, view]) => {
    const isKnown =
      view.at !== null &&
      state.status !== 'paused' &&
      !isSilent(Number(region), view, { now, watchedSince: state.watchedSince, since: state.since }, rules);
    return { region: Number(region), status: !isKnown ? 'unknown' : view.failed ? 'down' : 'up', at: view.at };
  });
}
