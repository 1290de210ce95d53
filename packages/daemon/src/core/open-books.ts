import type { MonitorStatus } from '@uptime/sdk/contract';
import { timeInWindows, type Window } from './maintenance.ts';
import { type Observed, timeIn } from './uptime.ts';

/** Time that is not accounted yet: a monitor's status since its last entry. Times in epoch milliseconds. */
export interface OpenBooks {
  monitor: number;
  status: MonitorStatus;
  accountedUntil: number;
  blindSince: number | null;
  /** Maintenance windows since the last entry. */
  windows: readonly Window[];
}

/** The time since the last entry, within a span. No rollup has it yet. */
export function openTime(books: OpenBooks, from: number, until: number): Observed {
  const end = Math.min(until, books.blindSince ?? until);
  const start = Math.max(from, books.accountedUntil);
  const ms = Math.max(0, end - start);
  return timeIn(books.status, ms, timeInWindows(start, start + ms, books.windows));
}
