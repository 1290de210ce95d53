import { notFound } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { AlertRow, Project } from '../store/tables.ts';
import type { AnswerOf, Handler, Pages } from './handler.ts';
import { isoTime, isoTimeOrNull } from './iso-time.ts';
import { inPages } from './monitor-past/in-pages.ts';
import { type DayRange, dayRange } from './monitor-past/range.ts';
import { maxPageRows, readPages } from './monitor-past/read-pages.ts';

type Alert = AnswerOf<'getAlert'>;

/** Lists alerts by the time at which they were opened, the oldest first. */
export const listAlertHistory: Handler<'listAlertHistory'> = async (request, { store, deps }) => {
  const range = dayRange(request.query, 30, deps.clock.now());
  const timeOf = (alert: Alert) => Date.parse(alert.triggeredAt);
  return inPages(request, range, { read: (from) => alerts(store, request.project, from, deps.clock.now()), timeOf });
};

export const getAlert: Handler<'getAlert'> = async (request, { store, deps }) => {
  const { alertId } = request.params;
  const row = /^alr_\w+$/.test(alertId)
    ? await store.db
        .selectFrom('alert')
        .selectAll()
        .where('id', '=', alertId)
        .where('project_id', '=', request.project.id)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound('alert');
  return (await renderAlerts(store, [row], deps.clock.now()))[0]!;
};

async function* alerts(
  store: Store,
  project: Pick<Project, 'id'>,
  { from, until }: DayRange,
  now: number,
): Pages<Alert> {
  const read = (last: AlertRow | undefined) => {
    const rows = store.db
      .selectFrom('alert')
      .selectAll()
      .where('project_id', '=', project.id)
      .where('triggered_at', '<', until)
      .orderBy('triggered_at')
      .orderBy('seq')
      .limit(maxPageRows);
    return (
      last
        ? rows.where((of) => of(of.refTuple('triggered_at', 'seq'), '>', of.tuple(last.triggered_at, last.seq)))
        : rows.where('triggered_at', '>=', from)
    ).execute();
  };
  for await (const rows of readPages(read)) yield await renderAlerts(store, rows, now);
}

/**
 * Returns alerts as the API shows them. If the message of an alert waits because of a message limit, the `error` of the
 * alert says so.
 */
async function renderAlerts(store: Store, rows: readonly AlertRow[], now: number): Promise<Alert[]> {
  const waiting = rows.filter((row) => row.delivery_status === 'pending').map(({ channel }) => channel);
  if (waiting.length === 0) return rows.map((row) => renderAlert(row, null));
  const held = await store.db
    .selectFrom('channel')
    .select(['seq', 'held_why'])
    .where('seq', 'in', [...new Set(waiting)])
    .where('held_why', 'is not', null)
    .where('wait_until', '>', now)
    .execute();
  const whyOf = new Map(held.map((channel) => [channel.seq, channel.held_why]));
  return rows.map((row) => renderAlert(row, whyOf.get(row.channel) ?? null));
}

const renderAlert = (row: AlertRow, held: string | null): Alert => ({
  id: row.id,
  ruleId: row.rule_id,
  ruleName: row.rule_name,
  monitorId: row.monitor_id,
  monitorName: row.monitor_name,
  channelId: row.channel_id,
  channelName: row.channel_name,
  type: row.type,
  triggeredAt: isoTime(row.triggered_at),
  resolvedAt: isoTimeOrNull(row.resolved_at),
  deliveryStatus: row.delivery_status,
  error: row.delivery_status === 'pending' ? (held ?? row.error) : row.error,
});
