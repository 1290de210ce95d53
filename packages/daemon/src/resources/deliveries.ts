import { type ChannelType, channelTypeDefinitions } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import type { Notice } from '../channels/index.ts';
import { notFound, ServiceError } from '../errors.ts';
import { expectIncident } from '../alerting/deliveries/paging-incidents.ts';
import { unconfirmedReason } from '../alerting/confirmations/unconfirmed.ts';
import type { Store } from '../store/store.ts';
import type { AlertRow, DeliveryRow, Project, Tables } from '../store/tables.ts';
import type { AnswerOf, Handler, Pages } from './handler.ts';
import { isoTime, isoTimeOrNull } from './iso-time.ts';
import { lockProject } from './lock-project.ts';
import { maxPageRows, readPages } from './monitor-past/read-pages.ts';
import { cursorOf, cutPage, readPage } from './paging.ts';

export const listDeliveries: Handler<'listDeliveries'> = async (request, { store }) => {
  const page = readPage(request.query);
  const rows = await matching(store.db, request.project, request.query);
  if (rows === null) return [];
  const after = (seq: number) => rows.where('seq', '>', seq);
  const start = page.after?.[0] ?? 0;
  if (page.limit !== null) {
    const found = await after(start)
      .limit(page.limit + 1)
      .execute();
    return renderDeliveries(
      store.db,
      cutPage(found, page, (row) => cursorOf(row.seq), request.nextPage),
    );
  }
  const pages = readPages((last: DeliveryRow | undefined) =>
    after(last?.seq ?? start)
      .limit(maxPageRows)
      .execute(),
  );
  return rendered(store.db, pages);
};

/** Makes a finished delivery pending again, under the same id. Throws `conflict` if it cannot be sent now. */
export const redeliver: Handler<'redeliver'> = (request, { store, deps, messageRules }) =>
  store.write(async (trx) => {
    await lockProject(trx, request.project);
    const row = await findDelivery(trx, request.project, request.params.deliveryId);
    if (row.status === 'pending')
      throw new ServiceError('conflict', 'This delivery is still pending. Try again when it has finished.');
    const channel = await trx
      .selectFrom('channel')
      .select(['id', 'type', 'config', 'confirmed_at'])
      .where('seq', '=', row.channel)
      .executeTakeFirst();
    if (!channel) throw new ServiceError('conflict', 'The channel of this delivery was deleted.');
    const why = unconfirmedReason(channel, messageRules);
    if (why !== null) throw new ServiceError('conflict', why);
    await refuseIfResolved(trx, row, channel.type);
    const now = deps.clock.now();
    // A paging service gets the end of an alert only if the store says that an incident may be open there. So this
    // records that one may be open.
    if (channelTypeDefinitions[channel.type].keepsIncidents && (row.kind === 'recovery' || row.kind === 'close'))
      await expectIncident(trx, {
        alert: row.alert,
        channel,
        notice: JSON.parse(row.notice) as Notice,
        now,
        until: now,
      });
    const earlier = await trx
      .selectFrom('delivery')
      .select('seq')
      .where('lane', '=', row.lane)
      .where('status', '=', sql.lit('pending'))
      .where('seq', '<', row.seq)
      .limit(1)
      .executeTakeFirst();
    const pending = await trx
      .updateTable('delivery')
      // With `next_at: null`, the delivery waits for the earlier messages of its lane.
      .set({
        status: 'pending',
        attempts: 0,
        refusals: 0,
        tried_since: null,
        next_at: earlier ? null : now,
        lease_until: 0,
        finished_at: null,
      })
      .where('seq', '=', row.seq)
      .returningAll()
      .executeTakeFirstOrThrow();
    // The alert's delivery status becomes pending again only if the alarm never arrived.
    if (row.kind === 'alarm')
      await trx
        .updateTable('alert')
        .set({ delivery_status: 'pending' })
        .where('seq', '=', row.alert)
        .where('notified', '=', 0)
        .execute();
    return (await renderDeliveries(trx, [pending]))[0]!;
  });

/**
 * Throws `conflict` for an alarm or a reminder of a resolved alert, if the channel would call someone or open an
 * incident.
 */
async function refuseIfResolved(
  trx: Transaction<Tables>,
  { alert: seq, kind }: DeliveryRow,
  type: ChannelType,
): Promise<void> {
  if (channelTypeDefinitions[type].lateAlarms !== 'omit' || (kind !== 'alarm' && kind !== 'reminder')) return;
  const alert = await trx.selectFrom('alert').select('resolved_at').where('seq', '=', seq).executeTakeFirst();
  if (alert && alert.resolved_at !== null)
    throw new ServiceError(
      'conflict',
      `This alert is resolved. Channels of the type ${type} get alarms and reminders only about open alerts.`,
    );
}

interface Filter {
  alertId?: string | undefined;
  status?: DeliveryRow['status'] | undefined;
}

/**
 * Resolves with the query for a project's deliveries that match a filter, the oldest first. Null if no delivery can
 * match.
 */
async function matching(db: Store['db'], project: Pick<Project, 'id'>, { alertId, status }: Filter) {
  let rows = db.selectFrom('delivery').selectAll().orderBy('seq');
  if (status !== undefined) rows = rows.where('status', '=', status);
  if (alertId === undefined) return rows.where('project', '=', project.id);
  const alert = await db
    .selectFrom('alert')
    .select('seq')
    .where('project_id', '=', project.id)
    .where('id', '=', alertId)
    .executeTakeFirst();
  return alert ? rows.where('alert', '=', alert.seq) : null;
}

async function findDelivery(db: Store['db'], project: Pick<Project, 'id'>, id: string): Promise<DeliveryRow> {
  const row = /^dlv_\w+$/.test(id)
    ? await db
        .selectFrom('delivery')
        .selectAll()
        .where('id', '=', id)
        .where('project', '=', project.id)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound('delivery');
  return row;
}

async function* rendered(db: Store['db'], pages: AsyncIterable<DeliveryRow[]>): Pages<AnswerOf<'redeliver'>> {
  for await (const rows of pages) yield await renderDeliveries(db, rows);
}

async function renderDeliveries(db: Store['db'], rows: readonly DeliveryRow[]): Promise<AnswerOf<'redeliver'>[]> {
  if (rows.length === 0) return [];
  const alerts = await db
    .selectFrom('alert')
    .select(['seq', 'id', 'monitor_name', 'channel_id', 'channel_name'])
    .where(
      'seq',
      'in',
      rows.map((row) => row.alert),
    )
    .execute();
  const attempts = await db
    .selectFrom('delivery_attempt')
    .selectAll()
    .where(
      'delivery',
      'in',
      rows.map((row) => row.seq),
    )
    .orderBy('at')
    .execute();
  const waits = await db
    .selectFrom('channel')
    .select(['seq', 'wait_until'])
    .where(
      'seq',
      'in',
      rows.map((row) => row.channel),
    )
    .execute();
  const waitOf = new Map(waits.map((channel) => [channel.seq, channel.wait_until]));
  const alertOf = new Map(alerts.map((alert) => [alert.seq, alert]));
  return rows.flatMap((row) => {
    const alert = alertOf.get(row.alert);
    // Leaves out a delivery whose alert was deleted after the deliveries were read.
    if (!alert) return [];
    return [
      renderDelivery(
        row,
        alert,
        waitOf.get(row.channel) ?? 0,
        attempts.filter(({ delivery }) => delivery === row.seq),
      ),
    ];
  });
}

const renderDelivery = (
  row: DeliveryRow,
  alert: Pick<AlertRow, 'id' | 'monitor_name' | 'channel_id' | 'channel_name'>,
  channelWaitsUntil: number,
  attempts: readonly { at: number; duration_ms: number; status: number | null; text: string }[],
): AnswerOf<'redeliver'> => ({
  id: row.id,
  alertId: alert.id,
  monitorName: alert.monitor_name,
  channelId: alert.channel_id,
  channelName: alert.channel_name,
  kind: row.kind,
  status: row.status,
  createdAt: isoTime(row.created_at),
  nextAttemptAt:
    row.status === 'pending' && row.next_at !== null ? isoTime(Math.max(row.next_at, channelWaitsUntil)) : null,
  finishedAt: isoTimeOrNull(row.finished_at),
  attempts: attempts.map(({ at, duration_ms: duration, status, text }) => ({
    at: isoTime(at),
    duration,
    status,
    text,
  })),
});
