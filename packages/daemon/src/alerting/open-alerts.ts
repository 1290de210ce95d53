import type { Transaction } from 'kysely';
import type { Notice } from '../channels/notice.ts';
import type { Review } from '../core/alerts.ts';
import { newId } from '../store/ids.ts';
import type { AlertRow, MonitorRow, Tables } from '../store/tables.ts';
import { shownAddress } from '../stored-monitors/monitor-fields.ts';
import { enqueue, type Message } from './deliveries/enqueue.ts';
import type { LoadedFacts } from './load-facts.ts';
import { regionVerdicts } from './region-verdicts.ts';
import type { Watching } from './watching-rules.ts';

/** An alert to open, and the rule that opens it. */
export interface Fired {
  fired: Review['fire'][number];
  rule: Watching;
}

/** Opens or reopens alerts of a monitor, and puts their alarms into the outbox. */
export async function openAlerts(
  trx: Transaction<Tables>,
  all: readonly Fired[],
  loaded: LoadedFacts,
  details: Notice['details'],
): Promise<void> {
  if (all.length === 0) return;
  const { monitor, fields, facts } = loaded;
  const inserted = await insertAlerts(
    trx,
    all.filter(({ fired }) => fired.again === undefined),
    loaded,
  );
  const isOutage = all.some(({ fired }) => fired.trigger === 'monitor_down');
  const regions = isOutage ? await regionVerdicts(trx, loaded.seen) : {};
  const messages: Message[] = [];
  for (const one of all) {
    const { fired, rule } = one;
    const alert =
      fired.again === undefined ? inserted.get(one) : await reopenAlert(trx, fired.again, { rule, loaded, fired });
    if (!alert) continue;
    const notice = {
      kind: 'alarm' as const,
      event: fired.trigger,
      alert: alert.id,
      rule: rule.name,
      monitor: { id: monitor.id, name: monitor.name, url: shownAddress(fields) },
      at: facts.at,
      ...faultOf(fired, loaded),
      ...(fired.trigger === 'monitor_down' && regions),
      details,
    };
    messages.push({ alert, notice });
  }
  await enqueue(trx, messages, facts.at);
}

/** Inserts the rows of alerts, except for channels that were deleted meanwhile. */
async function insertAlerts(
  trx: Transaction<Tables>,
  all: readonly Fired[],
  loaded: LoadedFacts,
): Promise<Map<Fired, Message['alert'] & { id: string }>> {
  if (all.length === 0) return new Map();
  const channels = await trx
    .selectFrom('channel')
    .select(['seq', 'id', 'name'])
    .where('seq', 'in', [...new Set(all.map(({ fired }) => fired.channel))])
    .execute();
  const channelBySeq = new Map(channels.map((channel) => [channel.seq, channel]));
  const { monitor, facts } = loaded;
  const firedById = new Map<string, Fired>();
  const rows = all.flatMap((one) => {
    const { fired, rule } = one;
    const channel = channelBySeq.get(fired.channel);
    if (!channel) return [];
    const id = newId('alr', facts.at);
    firedById.set(id, one);
    return {
      id,
      project_id: monitor.project_id,
      ...carrierOf(rule, monitor),
      channel: fired.channel,
      channel_id: channel.id,
      channel_name: channel.name,
      type: fired.trigger,
      subject: fired.subject,
      failing_since: faultOf(fired, loaded).since,
      triggered_at: facts.at,
      resolved_at: null,
      delivery_status: 'pending' as const,
      error: null,
      remind_at: reminderAt(rule, facts.at),
    };
  });
  if (rows.length === 0) return new Map();
  const inserted = await trx
    .insertInto('alert')
    .values(rows)
    .returning(['id', 'seq', 'project_id', 'type', 'rule', 'monitor', 'channel'])
    .execute();
  return new Map(inserted.map((alert) => [firedById.get(alert.id)!, alert]));
}

/** Reopens an alert that ended because its rule stopped watching the monitor, or because its monitor was deleted. */
const reopenAlert = (
  trx: Transaction<Tables>,
  id: string,
  { rule, loaded, fired }: { rule: Watching; loaded: LoadedFacts; fired: Review['fire'][number] },
): Promise<AlertRow> =>
  trx
    .updateTable('alert')
    .set({
      // An alert about a domain may open again for another monitor. An alert about a certificate may open again under
      // another rule.
      ...(fired.trigger === 'monitor_down' ? {} : carrierOf(rule, loaded.monitor)),
      resolved_at: null,
      end_reason: null,
      notified: 0,
      delivery_status: 'pending',
      error: null,
      remind_at: reminderAt(rule, loaded.facts.at),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Returns the columns of an alert that name its rule and its monitor. */
const carrierOf = (rule: Watching, monitor: MonitorRow) => ({
  rule: rule.rule,
  rule_id: rule.id,
  rule_name: rule.name,
  monitor: monitor.seq,
  monitor_id: monitor.id,
  monitor_name: monitor.name,
});

const reminderAt = ({ reminderIntervalMs }: Watching, at: number) =>
  reminderIntervalMs === null ? null : at + reminderIntervalMs;

/**
 * Returns when the fault began, and the error that describes it. A fault of a certificate or a domain begins at the
 * time of the review.
 */
function faultOf(
  { trigger, subject }: Pick<Review['fire'][number], 'trigger' | 'subject'>,
  { facts, failingSince, error }: LoadedFacts,
): Pick<Notice, 'since' | 'error'> {
  const expiry = facts.expiry.find((fault) => fault.trigger === trigger && fault.subject === subject);
  return expiry
    ? { since: facts.at, error: { code: expiry.trigger, message: expiry.message } }
    : { since: failingSince, error };
}
