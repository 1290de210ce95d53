import type { Monitor, MonitorStatus } from '@uptime/sdk';

/** The statuses, from the most urgent to the least urgent. Lists and counts use this order. */
export const statuses: readonly MonitorStatus[] = ['down', 'pending', 'up', 'paused'];

/**
 * Sorts monitors by urgency of their status. Statuses that only a newer server knows come first, because they may be
 * urgent.
 */
export const byStatus = <M extends Pick<Monitor, 'status'>>(monitors: readonly M[]): M[] =>
  monitors.toSorted((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status));

/** Returns the number of monitors in each status, including statuses that only a newer server knows. */
export function countStatuses(monitors: readonly Pick<Monitor, 'status'>[]): Record<MonitorStatus, number> {
  const counts = { up: 0, down: 0, pending: 0, paused: 0 };
  for (const { status } of monitors) counts[status] = (Object.hasOwn(counts, status) ? counts[status] : 0) + 1;
  return counts;
}

/** Returns the counts to show: one for each status that occurs, and always one for `down`. */
export function shownCounts(counts: Record<MonitorStatus, number>): [status: MonitorStatus, count: number][] {
  const all = [...new Set([...statuses, ...(Object.keys(counts) as MonitorStatus[])])];
  return all
    .map((status): [MonitorStatus, number] => [status, counts[status]])
    .filter(([status, count]) => count > 0 || status === 'down');
}
