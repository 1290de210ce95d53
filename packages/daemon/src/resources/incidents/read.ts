import type { incident, IncidentStatus } from '@uptime/sdk/contract';
import type { Selectable } from 'kysely';
import type * as z from 'zod';
import type { Store } from '../../store/store.ts';
import type { IncidentTable } from '../../store/tables.ts';
import { findRow } from '../find-row.ts';
import type { Handler, Pages } from '../handler.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import { listRows } from '../list-rows.ts';

export type IncidentRow = Selectable<IncidentTable>;
type Incident = z.output<typeof incident>;

/**
 * Maximum numbers of incidents and of characters in one piece of a list. A piece with long messages has fewer
 * incidents.
 */
const maxIncidentsAtOnce = 20;
const maxCharactersAtOnce = 100_000;

export const listIncidents: Handler<'listIncidents'> = async (request, { store }) =>
  inPages(store.db, await listRows(store.db, 'incident', request));

export const getIncident: Handler<'getIncident'> = async (request, { store }) =>
  showIncident(store.db, await findRow(store.db, 'incident', request.project, request.params.incidentId));

/**
 * Yields the incidents of a list in pieces. Each incident is read separately, because the timelines of all incidents
 * together may not fit into memory.
 */
async function* inPages(db: Store['db'], rows: readonly IncidentRow[]): Pages<Incident> {
  let page: Incident[] = [];
  let characters = 0;
  for (const row of rows) {
    const shown = await showIncident(db, row);
    page.push(shown);
    characters += shown.updates.reduce((sum, { message }) => sum + message.length, 0);
    if (page.length < maxIncidentsAtOnce && characters < maxCharactersAtOnce) continue;
    yield page;
    [page, characters] = [[], 0];
  }
  if (page.length > 0) yield page;
}

/**
 * Resolves with an incident as the API shows it, with all its updates, or only with the `latest` newest ones. `db` may
 * be the transaction that has just written the incident.
 */
export async function showIncident(db: Store['db'], row: IncidentRow, latest?: number): Promise<Incident> {
  const monitors = await db
    .selectFrom('incident_monitor')
    .innerJoin('monitor', 'monitor.seq', 'incident_monitor.monitor')
    .select('monitor.id')
    .where('incident_monitor.incident', '=', row.seq)
    .orderBy('incident_monitor.position')
    .execute();
  const newestFirst = db
    .selectFrom('incident_update')
    .select(['id', 'status', 'message', 'created_at'])
    .where('incident', '=', row.seq)
    .orderBy('seq', 'desc');
  const updates = await (latest === undefined ? newestFirst : newestFirst.limit(latest)).execute();
  return {
    id: row.id,
    managedBy: row.managed_by,
    title: row.title,
    status: row.status,
    monitorIds: monitors.map(({ id }) => id),
    maintenance: row.maintenance === 1,
    scheduledStart: isoTimeOrNull(row.scheduled_start),
    scheduledEnd: isoTimeOrNull(row.scheduled_end),
    startedAt: isoTime(row.started_at),
    resolvedAt: isoTimeOrNull(row.resolved_at),
    updates: updates.toReversed().map(renderUpdate),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

const renderUpdate = (row: { id: string; status: IncidentStatus; message: string; created_at: number }) => ({
  id: row.id,
  status: row.status,
  message: row.message,
  createdAt: isoTime(row.created_at),
});
