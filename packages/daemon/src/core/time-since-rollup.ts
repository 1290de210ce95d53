import type { MonitorStatus } from '@uptime/sdk/contract';
import { timeInWindows, type Window } from './maintenance.ts';
import { type Observed, timeIn } from './uptime.ts';

/** A monitor's status since its last rollup, and the facts that limit the counted time. */
export interface TimeSinceRollup {
  monitor: number;
  status: MonitorStatus;
  rolledUpUntil: number;
  unobservedSince: number | null;
  /** Maintenance windows since the last rollup. */
  windows: readonly Window[];
}

/**
 * Returns how long the monitor was up and down since its last rollup. Only the time from `from` to `until` is counted.
 */
export function timeSinceRollup(sinceRollup: TimeSinceRollup, from: number, until: number): Observed {
  const end = Math.min(until, sinceRollup.unobservedSince ?? until);
  const start = Math.max(from, sinceRollup.rolledUpUntil);
  const ms = Math.max(0, end - start);
  return timeIn(sinceRollup.status, ms, timeInWindows(start, start + ms, sinceRollup.windows));
}
