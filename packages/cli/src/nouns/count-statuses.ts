import type { Monitor, MonitorStatus } from '@uptime/sdk';

/** The statuses in the order of lists and counts, the most urgent first. */
export const statuses: readonly MonitorStatus[] = ['down', 'pending', 'up', 'paused'];

/**
 * Sorts monitors by their status. A newer server may have other statuses: they come first, because they may be urgent.
 */
export const byStatus = <M extends Pick<Monitor, 'status'>>(monitors: readonly M[]): M[] =>
  monitors.toSorted((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status));

/** Counts the monitors in each status. A newer server may have other statuses. */
export function countStatuses(monitors: readonly Pick<Monitor, 'status'>[]): Record<MonitorStatus, number> {
  const counts = { up: 0, down: 0, pending: 0, paused: 0 };
  for (const { status } of monitors) counts[status] = (Object.hasOwn(counts, status) ? counts[status] : 0) + 1;
  return counts;
}

/** Returns the counts to show: of each status that a monitor has, and of `down`. */
export function shownCounts(counts: Record<MonitorStatus, number>): [status: MonitorStatus, count: number][] {
  const all = [...new Set([...statuses, ...(Object.keys(counts) as MonitorStatus[])])];
  return all
    .map((status): [MonitorStatus, number] => [status, counts[status]])
    .filter(([status, count]) => count > 0 || status === 'down');
}
