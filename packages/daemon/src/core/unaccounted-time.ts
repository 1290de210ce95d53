import type { MonitorStatus } from '@uptime/sdk/contract';
import { timeInWindows, type Window } from './maintenance.ts';
import { type Observed, timeIn } from './uptime.ts';

/** Time that is not accounted yet: a monitor's status since its last entry. Times in epoch milliseconds. */
export interface UnaccountedTime {
  monitor: number;
  status: MonitorStatus;
  accountedUntil: number;
  blindSince: number | null;
  /** Maintenance windows since the last entry. */
  windows: readonly Window[];
}

/** The time since the last entry, within a span. No rollup has it yet. */
export function unaccountedTime(unaccounted: UnaccountedTime, from: number, until: number): Observed {
  const end = Math.min(until, unaccounted.blindSince ?? until);
  const start = Math.max(from, unaccounted.accountedUntil);
  const ms = Math.max(0, end - start);
  return timeIn(unaccounted.status, ms, timeInWindows(start, start + ms, unaccounted.windows));
}
