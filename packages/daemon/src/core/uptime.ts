import type { MonitorStatus } from '@uptime/sdk/contract';

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** Observed time in milliseconds. Maintenance counts separately, and neither raises nor lowers uptime. */
export interface Observed {
  up: number;
  down: number;
  maintenance: number;
}

export const nothingObserved: Observed = { up: 0, down: 0, maintenance: 0 };

/**
 * Counts `ms` milliseconds in a status as observed time; `maintenance` says how many of them are in maintenance
 * windows. Time in the statuses pending and paused is not observed.
 */
export function timeIn(status: MonitorStatus, ms: number, maintenance: number): Observed {
  const counted = ms - maintenance;
  if (status === 'up') return { up: counted, down: 0, maintenance };
  if (status === 'down') return { up: 0, down: counted, maintenance };
  return nothingObserved;
}

export const add = (a: Observed, b: Observed): Observed => ({
  up: a.up + b.up,
  down: a.down + b.down,
  maintenance: a.maintenance + b.maintenance,
});

/**
 * Returns the percentage of the observed time that was not down, rounded to 4 decimals; null if nothing was observed.
 */
export function uptimePercent(time: Observed): number | null {
  const observed = time.up + time.down;
  if (observed <= 0) return null;
  // Rounding never hides an outage: 100 means no downtime at all.
  const percent = (time.up / observed) * 100;
  const rounded = Math.round(percent * 10_000) / 10_000;
  return rounded === 100 && time.down > 0 ? 99.9999 : rounded;
}

/**
 * Splits a span of time at the edges of periods. `size` is the length of a period: an hour or a day. Returns the number
 * of each period, and how many milliseconds of the span are in this period. The periods are in order.
 */
export function splitByPeriod(from: number, until: number, size: number): [period: number, ms: number][] {
  const parts: [number, number][] = [];
  for (let start = from; start < until;) {
    const period = Math.floor(start / size);
    const end = Math.min(until, (period + 1) * size);
    parts.push([period, end - start]);
    start = end;
  }
  return parts;
}
