import type { Monitor, MonitorStatus } from '@uptime/sdk';

/** In the order of lists and counts, most urgent first. */
export const statuses: readonly MonitorStatus[] = ['down', 'pending', 'up', 'paused'];

/** Sorts monitors by their status. A newer server may have other statuses: they come first, as they may be urgent. */
export const byStatus = <M extends Pick<Monitor, 'status'>>(monitors: readonly M[]): M[] =>
  monitors.toSorted((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status));

/** Counts the monitors in each status, in the order above. Statuses of a newer server come last. */
export function countStatuses(monitors: readonly Pick<Monitor, 'status'>[]): Record<MonitorStatus, number> {
  const counts = { down: 0, pending: 0, up: 0, paused: 0 };
  for (const { status } of monitors) counts[status] = (Object.hasOwn(counts, status) ? counts[status] : 0) + 1;
  return counts;
}

/** Returns the counts to show: of each status that a monitor has, and of `down`. */
export const shownCounts = (counts: Record<MonitorStatus, number>): [status: MonitorStatus, count: number][] =>
  (Object.entries(counts) as [MonitorStatus, number][]).filter(([status, count]) => count > 0 || status === 'down');
