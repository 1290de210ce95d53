import { notFound } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { AlertRow, Project } from '../store/tables.ts';
import type { AnswerOf, Handler, Pages } from './handler.ts';
import { isoTime, isoTimeOrNull } from './iso-time.ts';
import { inPages } from './monitor-past/in-pages.ts';
import { type DayRange, dayRange } from './monitor-past/range.ts';
import { pageSize, readPages } from './monitor-past/read-pages.ts';

type Alert = AnswerOf<'getAlert'>;

/** Alerts by when they fired, oldest first. */
export const listAlertHistory: Handler<'listAlertHistory'> = async (request, { store, deps }) => {
  const range = dayRange(request.query, 30, deps.clock.now());
  const timeOf = (alert: Alert) => Date.parse(alert.triggeredAt);
  return inPages(request, range, { read: (from) => alerts(store, request.project, from), timeOf });
};

export const getAlert: Handler<'getAlert'> = async (request, { store }) => {
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
  return renderAlert(row);
};

async function* alerts(store: Store, project: Pick<Project, 'id'>, { from, until }: DayRange): Pages<Alert> {
  const read = (last: AlertRow | undefined) => {
    const rows = store.db
      .selectFrom('alert')
      .selectAll()
      .where('project_id', '=', project.id)
      .where('triggered_at', '<', until)
      .orderBy('triggered_at')
      .orderBy('seq')
      .limit(pageSize);
    return (
      last
        ? rows.where((of) => of(of.refTuple('triggered_at', 'seq'), '>', of.tuple(last.triggered_at, last.seq)))
        : rows.where('triggered_at', '>=', from)
    ).execute();
  };
  for await (const rows of readPages(read)) yield rows.map(renderAlert);
}

const renderAlert = (row: AlertRow): Alert => ({
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
  error: row.error,
});
