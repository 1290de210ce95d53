import { phaseOf } from '../../packages/daemon/src/core/schedule.ts';
import { region } from './fill-monitors.ts';
import type { Load } from './load.ts';
import type { Arrival } from './target.ts';

/** Milliseconds from the due time of a check to the arrival of its request at the target, over many checks. */
export interface Lateness {
  p50: number;
  p99: number;
  max: number;
}

/**
 * Returns how late the requests arrived. A monitor is due at a fixed offset in every interval, so a request belongs to
 * the latest due time before its arrival.
 */
export function latenessOf(arrivals: readonly Arrival[], { intervalSeconds }: Load): Lateness {
  const interval = intervalSeconds * 1000;
  const late = arrivals
    .map(([monitor, at]) => (at - phaseOf(monitor, region, interval)) % interval)
    .toSorted((a, b) => a - b);
  const at = (share: number) => late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
