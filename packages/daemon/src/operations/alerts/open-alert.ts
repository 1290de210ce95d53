import type { Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import type { Review } from '../../core/alerts.ts';
import { newId } from '../../store/ids.ts';
import type { Tables } from '../../store/tables.ts';
import { shownAddress } from '../monitor-fields.ts';
import { enqueue } from './enqueue.ts';
import type { LoadedFacts } from './load-facts.ts';
import type { Watching } from './watching-rules.ts';

/** Opens an alert and puts its alarm into the outbox. */
export async function openAlert(
  trx: Transaction<Tables>,
  fired: Review['fire'][number],
  rule: Watching,
  { monitor, fields, facts, failingSince, error: downError }: LoadedFacts,
  details: Notice['details'],
): Promise<void> {
  const channel = await trx
    .selectFrom('channel')
    .select(['id', 'name'])
    .where('seq', '=', fired.channel)
    .executeTakeFirst();
  if (!channel) return;
  const { at } = facts;
  const expiry = facts.expiry.find((fault) => fault.trigger === fired.trigger && fault.subject === fired.subject);
  const error = expiry ? { code: expiry.trigger, message: expiry.message } : downError;
  const since = expiry ? at : failingSince;
  const alert = {
    id: newId('alr', at),
    project_id: monitor.project_id,
    rule: rule.rule,
    rule_id: rule.id,
    rule_name: rule.name,
    monitor: monitor.seq,
    monitor_id: monitor.id,
    monitor_name: monitor.name,
    channel: fired.channel,
    channel_id: channel.id,
    channel_name: channel.name,
    type: fired.trigger,
    subject: fired.subject,
    failing_since: since,
    triggered_at: at,
    resolved_at: null,
    delivery_status: 'pending' as const,
    error: null,
    remind_at: rule.reminderInterval === null ? null : at + rule.reminderInterval,
  };
  const { seq } = await trx.insertInto('alert').values(alert).returning('seq').executeTakeFirstOrThrow();
  await enqueue(
    trx,
    { ...alert, seq },
    {
      kind: 'alarm',
      event: fired.trigger,
      alert: alert.id,
      rule: rule.name,
      monitor: { id: monitor.id, name: monitor.name, type: monitor.type, url: shownAddress(fields) },
      at,
      since,
      error,
      details,
    },
    at,
  );
}
