import type { Window } from '../core/maintenance.ts';
import { dayMs } from '../core/uptime.ts';
import type { Store } from '../store/store.ts';
import type { IncidentView } from './view.ts';

/** How long a resolved incident stays on the page, and how far ahead maintenance is announced. */
const pastShown = 14 * dayMs;
const aheadShown = 30 * dayMs;

/**
 * The incidents that concern a page: those that name one of its monitors (by seq, with its name), and those that name
 * none at all. With them, each monitor's maintenance windows of the last days.
 */
export async function loadIncidents(
  store: Store,
  project: string,
  names: ReadonlyMap<number, string>,
  now: number,
): Promise<{ incidents: IncidentView[]; windows: Map<number, Window[]> }> {
  const rows = await store.db
    .selectFrom('incident')
    .selectAll()
    .where('project_id', '=', project)
    .where((row) => row.or([row('resolved_at', 'is', null), row('resolved_at', '>', now - pastShown)]))
    .where('started_at', '<', now + aheadShown)
    .orderBy('seq')
    .execute();
  const named = await store.db
    .selectFrom('incident_monitor')
    .innerJoin('incident', 'incident.seq', 'incident_monitor.incident')
    .select(['incident_monitor.incident', 'incident_monitor.monitor'])
    .where('incident.project_id', '=', project)
    .where((row) => row.or([row('resolved_at', 'is', null), row('resolved_at', '>', now - pastShown)]))
    .orderBy('incident_monitor.position')
    .execute();
  const monitorsOf = Map.groupBy(named, ({ incident }) => incident);
  const shown = rows.filter(({ seq, named: ofSome }) => {
    // One whose monitors were all deleted was never meant for every page.
    const monitors = monitorsOf.get(seq) ?? [];
    return monitors.some(({ monitor }) => names.has(monitor)) || (monitors.length === 0 && ofSome === 0);
  });
  const updates =
    shown.length === 0
      ? []
      : await store.db
          .selectFrom('incident_update')
          .selectAll()
          .where(
            'incident',
            'in',
            shown.map(({ seq }) => seq),
          )
          .orderBy('seq')
          .execute();
  const updatesOf = Map.groupBy(updates, ({ incident }) => incident);

  const windows = new Map<number, Window[]>();
  const incidents = shown.map((row): IncidentView => {
    const monitors = (monitorsOf.get(row.seq) ?? []).map(({ monitor }) => monitor);
    if (row.maintenance === 1 && row.scheduled_start !== null && row.scheduled_end !== null) {
      const window = {
        start: row.scheduled_start,
        end: Math.min(row.scheduled_end, row.resolved_at ?? row.scheduled_end),
      };
      for (const monitor of monitors) windows.set(monitor, [...(windows.get(monitor) ?? []), window]);
    }
    return {
      number: row.seq,
      title: row.title,
      status: row.status,
      maintenance: row.maintenance === 1,
      createdAt: row.created_at,
      startedAt: row.started_at,
      scheduledEnd: row.scheduled_end,
      resolvedAt: row.resolved_at,
      monitors: monitors.flatMap((monitor) => names.get(monitor) ?? []),
      updates: (updatesOf.get(row.seq) ?? []).map(({ status, message, created_at }) => ({
        status,
        message,
        at: created_at,
      })),
    };
  });
  return { incidents, windows };
}
