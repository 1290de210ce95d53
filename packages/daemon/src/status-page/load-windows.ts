import { nextTurn } from '../wait.ts';
import type { Window } from '../core/maintenance.ts';
import type { Store } from '../store/store.ts';
import type { StatusPageRow } from '../store/tables.ts';

/**
 * Returns each monitor's maintenance windows between `from` and `now`, ordered by start. Windows that overlap are
 * merged. One window is read at a time, because a window may name a thousand monitors.
 */
export async function loadWindows(
  { db }: Pick<Store, 'db'>,
  page: Pick<StatusPageRow, 'seq' | 'project_id'>,
  from: number,
  now: number,
): Promise<Map<number, Window[]>> {
  const begun = db
    .selectFrom('incident')
    .select(['seq', 'scheduled_start', 'scheduled_end', 'resolved_at'])
    .where('project_id', '=', page.project_id)
    .where('maintenance', '=', 1)
    .where('started_at', '<=', now)
    .where('scheduled_end', '>', from);
  const rows = [
    ...(await begun.where('resolved_at', 'is', null).execute()),
    ...(await begun.where('resolved_at', '>', from).execute()),
  ];
  await nextTurn();
  const windows = rows
    .map(({ seq, scheduled_start, scheduled_end, resolved_at }) => ({
      seq,
      start: scheduled_start ?? 0,
      end: Math.min(scheduled_end ?? 0, resolved_at ?? Infinity),
    }))
    .toSorted((a, b) => a.start - b.start);

  const windowsOf = new Map<number, Window[]>();
  for (const { seq, start, end } of windows) {
    const monitors = await db
      .selectFrom('incident_monitor')
      .innerJoin('status_page_monitor', 'status_page_monitor.monitor', 'incident_monitor.monitor')
      .select('incident_monitor.monitor')
      .where('incident_monitor.incident', '=', seq)
      .where('status_page_monitor.page', '=', page.seq)
      .execute();
    for (const { monitor } of monitors) {
      const known = windowsOf.get(monitor);
      const last = known?.at(-1);
      if (last && start <= last.end) last.end = Math.max(last.end, end);
      else if (known) known.push({ start, end });
      else windowsOf.set(monitor, [{ start, end }]);
    }
    await nextTurn();
  }
  return windowsOf;
}
