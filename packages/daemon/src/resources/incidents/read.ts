import type { incident, IncidentStatus } from '@uptime/sdk/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { Store } from '../../store/store.ts';
import type { IncidentTable } from '../../store/tables.ts';
import { findRow } from '../find-row.ts';
import type { Handler } from '../handler.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import { listRows } from '../list-rows.ts';

export type IncidentRow = Selectable<IncidentTable>;
type Incident = z.output<typeof incident>;

export const listIncidents: Handler<'listIncidents'> = async (request, { store }) => {
  const rows = await listRows(store.db, 'incident', request);
  return renderIncidents(store.db, rows);
};

export const getIncident: Handler<'getIncident'> = async (request, { store }) =>
  showIncident(store.db, await findRow(store.db, 'incident', request.project, request.params.incidentId));

/** An incident as the interface shows it; `db` may be the transaction that just wrote it. */
export async function showIncident(db: Store['db'], row: IncidentRow): Promise<Incident> {
  return (await renderIncidents(db, [row]))[0]!;
}

async function renderIncidents(db: Store['db'], rows: readonly IncidentRow[]): Promise<Incident[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  // The rows of a page are in order of `seq`: what belongs to them is read as one range, however many they are.
  const monitors = await db
    .selectFrom('incident_monitor')
    .innerJoin('monitor', 'monitor.seq', 'incident_monitor.monitor')
    .select(['incident_monitor.incident', 'monitor.id'])
    .where('incident_monitor.incident', '>=', first.seq)
    .where('incident_monitor.incident', '<=', last.seq)
    .where('monitor.project_id', '=', first.project_id)
    .orderBy('incident_monitor.incident')
    .orderBy('incident_monitor.position')
    .execute();
  const updates = await db
    .selectFrom('incident_update')
    .innerJoin('incident', 'incident.seq', 'incident_update.incident')
    .selectAll('incident_update')
    .where('incident_update.incident', '>=', first.seq)
    .where('incident_update.incident', '<=', last.seq)
    .where('incident.project_id', '=', first.project_id)
    .orderBy('incident_update.seq')
    .execute();
  const monitorsOf = Map.groupBy(monitors, ({ incident }) => incident);
  const updatesOf = Map.groupBy(updates, ({ incident }) => incident);
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    status: row.status,
    monitorIds: (monitorsOf.get(row.seq) ?? []).map(({ id }) => id),
    maintenance: row.maintenance === 1,
    scheduledStart: isoTimeOrNull(row.scheduled_start),
    scheduledEnd: isoTimeOrNull(row.scheduled_end),
    startedAt: isoTime(row.started_at),
    resolvedAt: isoTimeOrNull(row.resolved_at),
    updates: (updatesOf.get(row.seq) ?? []).map(renderUpdate),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }));
}

const renderUpdate = (row: { id: string; status: IncidentStatus; message: string; created_at: number }) => ({
  id: row.id,
  status: row.status,
  message: row.message,
  createdAt: isoTime(row.created_at),
});
