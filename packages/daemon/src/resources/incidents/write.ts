import { type IncidentStatus, scheduleFaults } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { invalid } from '../../errors.ts';
import { closeBooks, reviewAfterWindow } from '../../operations/maintenance-edges.ts';
import { newId } from '../../store/ids.ts';
import type { Tables } from '../../store/tables.ts';
import { findMonitors } from '../find-monitors.ts';
import type { Handler } from '../handler.ts';
import { isoTimeOrNull } from '../iso-time.ts';
import { lockProject } from '../lock-project.ts';
import { findIncident, showIncident } from './read.ts';

export const createIncident: Handler<'createIncident'> = (request, { deps }) =>
  request.create(request.body, async (trx) => {
    await lockProject(trx, request.project);
    const { title, message, maintenance } = request.body;
    const [start, end] = [instantOf(request.body.scheduledStart), instantOf(request.body.scheduledEnd)];
    checkSchedule(maintenance, start, end);
    const monitors = await findMonitors(trx, request.project, request.body.monitorIds);
    const now = deps.clock.now();
    const status = request.body.status ?? (maintenance ? 'identified' : 'investigating');
    if (maintenance) await closeBooks(trx, seqs(monitors), now);
    const row = await trx
      .insertInto('incident')
      .values({
        id: newId('inc', now),
        project_id: request.project.id,
        title,
        status,
        maintenance: maintenance ? 1 : 0,
        named: monitors.length > 0 ? 1 : 0,
        scheduled_start: start,
        scheduled_end: end,
        started_at: start ?? now,
        resolved_at: status === 'resolved' ? now : null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await setMonitors(trx, row.seq, seqs(monitors));
    if (request.body.status !== undefined || message !== '') await addUpdate(trx, row.seq, status, message, now);
    return showIncident(trx, row);
  });

export const updateIncident: Handler<'updateIncident'> = (request, { store, deps }) =>
  store.write(async (trx) => {
    await lockProject(trx, request.project);
    const before = await findIncident(trx, request.project, request.params.incidentId);
    const { title = before.title, status = before.status, message = '', monitorIds } = request.body;
    const maintenance = before.maintenance === 1;
    const start = instantOf(request.body.scheduledStart) ?? before.scheduled_start;
    const end = instantOf(request.body.scheduledEnd) ?? before.scheduled_end;
    checkSchedule(maintenance, start, end);
    const watched = await monitorsOf(trx, before.seq);
    const wanted = monitorIds === undefined ? watched : seqs(await findMonitors(trx, request.project, monitorIds));
    const now = deps.clock.now();
    const concerned = maintenance ? [...new Set([...watched, ...wanted])] : [];
    await closeBooks(trx, concerned, now);

    const resolvedAt = status !== 'resolved' ? null : (before.resolved_at ?? now);
    const row = await trx
      .updateTable('incident')
      .set({
        title,
        status,
        scheduled_start: start,
        scheduled_end: end,
        started_at: start ?? before.started_at,
        resolved_at: resolvedAt,
        ...(monitorIds !== undefined && { named: wanted.length > 0 ? 1 : 0 }),
        updated_at: now,
      })
      .where('seq', '=', before.seq)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (monitorIds !== undefined) await setMonitors(trx, before.seq, wanted);
    if (status !== before.status || message !== '') await addUpdate(trx, before.seq, status, message, now);
    await reviewAfterWindow(trx, concerned, now);
    return showIncident(trx, row);
  });

export const deleteIncident: Handler<'deleteIncident'> = (request, { store, deps }) =>
  store.write(async (trx) => {
    await lockProject(trx, request.project);
    const row = await findIncident(trx, request.project, request.params.incidentId);
    const now = deps.clock.now();
    const concerned = row.maintenance === 1 ? await monitorsOf(trx, row.seq) : [];
    await closeBooks(trx, concerned, now);
    await trx.deleteFrom('incident').where('seq', '=', row.seq).execute();
    await reviewAfterWindow(trx, concerned, now);
  });

const instantOf = (given: string | null | undefined): number | null => (given == null ? null : Date.parse(given));

const seqs = (monitors: readonly { seq: number }[]): number[] => monitors.map(({ seq }) => seq);

function checkSchedule(maintenance: boolean, start: number | null, end: number | null): void {
  const [scheduledStart, scheduledEnd] = [isoTimeOrNull(start), isoTimeOrNull(end)];
  const faults = scheduleFaults({ maintenance, scheduledStart, scheduledEnd });
  if (faults.length > 0) throw invalid(faults);
}

async function monitorsOf(trx: Transaction<Tables>, incident: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('incident_monitor')
    .select('monitor')
    .where('incident', '=', incident)
    .orderBy('position')
    .execute();
  return rows.map(({ monitor }) => monitor);
}

async function setMonitors(trx: Transaction<Tables>, incident: number, monitors: readonly number[]): Promise<void> {
  await trx.deleteFrom('incident_monitor').where('incident', '=', incident).execute();
  if (monitors.length === 0) return;
  await trx
    .insertInto('incident_monitor')
    .values(monitors.map((monitor, position) => ({ incident, monitor, position })))
    .execute();
}

async function addUpdate(
  trx: Transaction<Tables>,
  incident: number,
  status: IncidentStatus,
  message: string,
  now: number,
): Promise<void> {
  await trx
    .insertInto('incident_update')
    .values({ id: newId('upd', now), incident, status, message, created_at: now })
    .execute();
}
