import type { AlertRuleFields } from '@uptime/sdk/contract';
import type { Store } from '../../store/store.ts';
import type { RuleRow } from '../../store/tables.ts';
import type { AnswerOf, Handler } from '../handler.ts';
import { inPieces } from '../in-pieces.ts';
import { isoTime } from '../iso-time.ts';
import { listRows } from '../list-rows.ts';

/**
 * Number of rules in one piece of a list. It is small, because each rule names up to 1,000 monitors and 1,000 channels.
 */
const maxRulesAtOnce = 5;

export const listAlertRules: Handler<'listAlertRules'> = async (request, { store }) => {
  const rows = await listRows(store.db, 'rule', request);
  return inPieces(rows, maxRulesAtOnce, (some) => renderRules(store.db, some));
};

/** Resolves with rules as the API shows them. The rows must be of one project, in order of creation. */
export async function renderRules(db: Store['db'], rows: readonly RuleRow[]): Promise<AnswerOf<'listAlertRules'>> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const among = { project: first.project_id, from: first.seq, to: last.seq };
  const monitors = Map.groupBy(await watched(db, among).execute(), ({ seq }) => seq);
  const channels = Map.groupBy(await channelsOfRules(db, among).execute(), ({ seq }) => seq);
  return rows.map((row) => ({
    id: row.id,
    ...ruleFields(row, idsOf(monitors.get(row.seq)), idsOf(channels.get(row.seq))),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }));
}

const idsOf = (rows: readonly { id: string }[] = []) => rows.map(({ id }) => id);

const ruleFields = (row: RuleRow, monitorIds: string[], channelIds: string[]): AlertRuleFields => ({
  key: row.key,
  managedBy: row.managed_by,
  name: row.name,
  monitorIds,
  channelIds,
  trigger: row.trigger,
  consecutiveFailures: row.consecutive_failures,
  notifyOnRecovery: row.notify_on_recovery === 1,
  reminderInterval: row.reminder_interval_seconds,
  expiryAlerts: row.expiry_alerts === 1,
  enabled: row.enabled === 1,
});

interface Among {
  project: string;
  /** The `seq` of the first and the last rule, both inclusive. */
  from: number;
  to: number;
}

const watched = (db: Store['db'], { project, from, to }: Among) =>
  db
    .selectFrom('rule')
    .innerJoin('rule_monitor', 'rule_monitor.rule', 'rule.seq')
    .innerJoin('monitor', 'monitor.seq', 'rule_monitor.monitor')
    .select(['rule.seq', 'monitor.id'])
    .where('rule.project_id', '=', project)
    .where('rule.seq', '>=', from)
    .where('rule.seq', '<=', to)
    .orderBy('rule.seq')
    .orderBy('rule_monitor.position');

const channelsOfRules = (db: Store['db'], { project, from, to }: Among) =>
  db
    .selectFrom('rule')
    .innerJoin('rule_channel', 'rule_channel.rule', 'rule.seq')
    .innerJoin('channel', 'channel.seq', 'rule_channel.channel')
    .select(['rule.seq', 'channel.id'])
    .where('rule.project_id', '=', project)
    .where('rule.seq', '>=', from)
    .where('rule.seq', '<=', to)
    .orderBy('rule.seq')
    .orderBy('rule_channel.position');
