import {
  type Fault,
  incidentPatch,
  type IncidentStatus,
  memberBytes,
  maxIncidentUpdates,
  scheduleFaults,
  updatesAnsweredToPatch,
} from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { invalid, ServiceError } from '../../errors.ts';
import { storedSize } from '../../core/stored-size.ts';
import type { PlanRules } from '../../plans/account-plan.ts';
import { refuseGrowth } from '../../plans/refuse-growth.ts';
import { rollUpAhead, rollUpMonitors, reviewAfterWindow } from '../../lifecycle/maintenance-edges.ts';
import { newId } from '../../store/ids.ts';
import { publicId } from '../../store/public-id.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { findByIds } from '../find-by-ids.ts';
import type { AnswerOf, Handler, OwnValidation, Request } from '../handler.ts';
import { isoTimeOrNull } from '../iso-time.ts';
import { lockProject } from '../lock-project.ts';
import { findRow } from '../find-row.ts';
import { patchSentBack } from '../sent-back.ts';
import { showIncident } from './read.ts';

export const createIncident: Handler<'createIncident'> = async (request, { store, deps, plans }) => {
  const now = deps.clock.now();
  if (request.body.maintenance) {
    const named = await findByIds(store.db, 'monitor', request.project, request.body.monitorIds);
    await rollUpAhead(store, seqs(named.rows), now);
  }
  return request.create(request.body, async (trx) => {
    await lockProject(trx, request.project);
    const { managedBy, title, message, maintenance } = request.body;
    const [start, end] = [instantOf(request.body.scheduledStart), instantOf(request.body.scheduledEnd)];
    const monitors = await findByIds(trx, 'monitor', request.project, request.body.monitorIds);
    refuse([...faultsOfSchedule(maintenance, start, end), ...monitors.faults]);
    const status = request.body.status ?? firstStatus(maintenance);
    const adds = request.body.status !== undefined || message !== '';
    const bytes = storedSize({ title, managedBy }, monitors.rows.length) + (adds ? storedSize({ message }) : 0);
    const isOpen = status !== 'resolved';
    const counts = maintenance ? { maintenanceWindows: 1 } : { incidents: 1, openIncidents: isOpen ? 1 : 0 };
    await refuseGrowth(trx, request.project, plans, { ...counts, bytes });
    if (maintenance) await rollUpMonitors(trx, seqs(monitors.rows), now);
    const id = newId('inc', now);
    const row = await trx
      .insertInto('incident')
      .values({
        id,
        public_id: publicId(id),
        project_id: request.project.id,
        managed_by: managedBy,
        title,
        status,
        maintenance: maintenance ? 1 : 0,
        named: monitors.rows.length > 0 ? 1 : 0,
        scheduled_start: start,
        scheduled_end: end,
        started_at: start ?? now,
        resolved_at: isOpen ? null : now,
        bytes,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await setMonitors(trx, row.seq, seqs(monitors.rows));
    if (adds) await addUpdate(trx, row.seq, status, message, now);
    return showIncident(trx, row);
  });
};

export const updateIncident: OwnValidation<'updateIncident'> = {
  validatesBody: true,
  async handle(request, { store, deps, plans }) {
    const now = deps.clock.now();
    const { monitorIds } = (request.body ?? {}) as { monitorIds?: unknown };
    await rollUpWindow(store, request, { monitorIds, now });
    return store.write((trx) => changeIncident(trx, request, { plans, now }));
  },
};

async function changeIncident(
  trx: Transaction<Tables>,
  request: Request<'updateIncident', unknown>,
  { plans, now }: { plans: PlanRules; now: number },
): Promise<AnswerOf<'updateIncident'>> {
  await lockProject(trx, request.project);
  const before = await findRow(trx, 'incident', request.project, request.params.incidentId);
  const body = await patchSentBack(request.body, incidentPatch, () => showIncident(trx, before));
  const { title = before.title, managedBy = before.managed_by, scheduledStart, scheduledEnd, monitorIds } = body;
  const maintenance = before.maintenance === 1;
  // Null restores the default of a field. A field that the body lacks stays as it is.
  const status = body.status === undefined ? before.status : (body.status ?? firstStatus(maintenance));
  const message = body.message ?? '';
  const start = scheduledStart === undefined ? before.scheduled_start : instantOf(scheduledStart);
  const end = scheduledEnd === undefined ? before.scheduled_end : instantOf(scheduledEnd);
  const named = await findByIds(trx, 'monitor', request.project, monitorIds ?? []);
  refuse([...faultsOfSchedule(maintenance, start, end), ...named.faults]);
  const watched = await monitorsOf(trx, before.seq);
  const wanted = monitorIds === undefined ? watched : seqs(named.rows);
  const adds = status !== before.status || message !== '';
  const sameMonitors =
    monitorIds === undefined || (String(wanted) === String(watched) && wanted.length > 0 === (before.named === 1));
  const sameTimes = start === before.scheduled_start && end === before.scheduled_end;
  // If the patch changes nothing, nothing is written, so that `updatedAt` stays the same.
  const sameWords = title === before.title && managedBy === before.managed_by;
  if (!adds && sameWords && sameTimes && sameMonitors) return showIncident(trx, before, updatesAnsweredToPatch);
  // An incident can always be resolved, even if its timeline or the storage of the project is full.
  const resolves = status === 'resolved' && before.status !== 'resolved';
  if (adds && !resolves) await refuseMoreUpdates(trx, before.seq);
  const bytes =
    Buffer.byteLength(title) -
    Buffer.byteLength(before.title) +
    (managedBy?.length ?? 0) -
    (before.managed_by?.length ?? 0) +
    memberBytes * (wanted.length - watched.length) +
    (adds ? storedSize({ message }) : 0);
  const reopens = !maintenance && status !== 'resolved' && before.resolved_at !== null;
  if (!resolves) await refuseGrowth(trx, request.project, plans, { openIncidents: reopens ? 1 : 0, bytes });
  const concerned = maintenance ? [...new Set([...watched, ...wanted])] : [];
  await rollUpMonitors(trx, concerned, now);

  const resolvedAt = status !== 'resolved' ? null : (before.resolved_at ?? now);
  const row = await trx
    .updateTable('incident')
    .set({
      managed_by: managedBy,
      title,
      status,
      scheduled_start: start,
      scheduled_end: end,
      started_at: start ?? before.started_at,
      resolved_at: resolvedAt,
      bytes: before.bytes + bytes,
      ...(monitorIds !== undefined && { named: wanted.length > 0 ? 1 : 0 }),
      updated_at: now,
    })
    .where('seq', '=', before.seq)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (monitorIds !== undefined) await setMonitors(trx, before.seq, wanted);
  if (adds) await addUpdate(trx, before.seq, status, message, now);
  await reviewAfterWindow(trx, concerned, now);
  return showIncident(trx, row, updatesAnsweredToPatch);
}

export const deleteIncident: Handler<'deleteIncident'> = async (request, { store, deps }) => {
  const now = deps.clock.now();
  await rollUpWindow(store, request, { now });
  await store.write(async (trx) => {
    await lockProject(trx, request.project);
    const row = await findRow(trx, 'incident', request.project, request.params.incidentId);
    const concerned = row.maintenance === 1 ? await monitorsOf(trx, row.seq) : [];
    await rollUpMonitors(trx, concerned, now);
    await trx.deleteFrom('incident').where('seq', '=', row.seq).execute();
    await reviewAfterWindow(trx, concerned, now);
  });
};

/**
 * Rolls up the time until `now`, for the monitors that a maintenance window has or may get. Call this function before
 * the window changes, so that the change does not affect time that has passed.
 */
async function rollUpWindow(
  store: Store,
  { project, params }: Pick<Request<'updateIncident'>, 'project' | 'params'>,
  { monitorIds, now }: { monitorIds?: unknown; now: number },
): Promise<void> {
  const row = await findRow(store.db, 'incident', project, params.incidentId);
  if (row.maintenance !== 1) return;
  const ids = Array.isArray(monitorIds) ? monitorIds.slice(0, 1000).filter((id) => typeof id === 'string') : [];
  const named = await findByIds(store.db, 'monitor', project, ids);
  const watched = await monitorsOf(store.db, row.seq);
  await rollUpAhead(store, [...new Set([...watched, ...seqs(named.rows)])], now);
}

const instantOf = (given: string | null): number | null => (given === null ? null : Date.parse(given));

const firstStatus = (maintenance: boolean): IncidentStatus => (maintenance ? 'identified' : 'investigating');

const seqs = (monitors: readonly { seq: number }[]): number[] => monitors.map(({ seq }) => seq);

const faultsOfSchedule = (maintenance: boolean, start: number | null, end: number | null): Fault[] =>
  scheduleFaults({ maintenance, scheduledStart: isoTimeOrNull(start), scheduledEnd: isoTimeOrNull(end) });

/** Throws `invalid_request` with all faults if there are any. */
function refuse(faults: Fault[]): void {
  if (faults.length > 0) throw invalid(faults);
}

async function monitorsOf(db: Store['db'], incident: number): Promise<number[]> {
  const rows = await db
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

/**
 * Throws if the timeline is full. Its length is limited, because one response of the API contains the whole timeline.
 */
async function refuseMoreUpdates(trx: Transaction<Tables>, incident: number): Promise<void> {
  const { updates } = await trx
    .selectFrom('incident_update')
    .select((row) => row.fn.countAll<number>().as('updates'))
    .where('incident', '=', incident)
    .executeTakeFirstOrThrow();
  if (updates < maxIncidentUpdates) return;
  throw new ServiceError(
    'conflict',
    `An incident holds at most ${maxIncidentUpdates} updates. Resolve this one, and open another with POST /api/incidents.`,
  );
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
