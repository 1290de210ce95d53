import type { Transaction } from 'kysely';
import type { Notice } from '../channels/notice.ts';
import type { Review } from '../core/alerts.ts';
import { newId } from '../store/ids.ts';
import type { AlertRow, MonitorRow, Tables } from '../store/tables.ts';
import { shownAddress } from '../stored-monitors/monitor-fields.ts';
import { enqueue } from './deliveries/enqueue.ts';
import type { LoadedFacts } from './load-facts.ts';
import { regionVerdicts } from './region-verdicts.ts';
import type { Watching } from './watching-rules.ts';

/** Opens an alert, or reopens one, and queues its alarm in the outbox. */
export async function openAlert(
  trx: Transaction<Tables>,
  fired: Review['fire'][number],
  rule: Watching,
  loaded: LoadedFacts,
  details: Notice['details'],
): Promise<void> {
  const alert =
    fired.again === undefined
      ? await insertAlert(trx, fired, rule, loaded)
      : await reopenAlert(trx, fired.again, { rule, loaded, fired });
  if (!alert) return;
  const { monitor, fields, facts } = loaded;
  await enqueue(
    trx,
    alert,
    {
      kind: 'alarm',
      event: fired.trigger,
      alert: alert.id,
      rule: rule.name,
      monitor: { id: monitor.id, name: monitor.name, type: monitor.type, url: shownAddress(fields) },
      at: facts.at,
      ...faultOf(fired, loaded),
      ...(fired.trigger === 'monitor_down' && (await regionVerdicts(trx, loaded.seen, facts.at))),
      details,
    },
    facts.at,
  );
}

async function insertAlert(
  trx: Transaction<Tables>,
  fired: Review['fire'][number],
  rule: Watching,
  loaded: LoadedFacts,
): Promise<AlertRow | null> {
  const channel = await trx
    .selectFrom('channel')
    .select(['id', 'name'])
    .where('seq', '=', fired.channel)
    .executeTakeFirst();
  if (!channel) return null;
  const { monitor, facts } = loaded;
  const alert = {
    id: newId('alr', facts.at),
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
  return trx.insertInto('alert').values(alert).returningAll().executeTakeFirstOrThrow();
}

/** A paging service's incident was closed while no rule watched. It is opened again under the same alert. */
const reopenAlert = (
  trx: Transaction<Tables>,
  id: string,
  { rule, loaded, fired }: { rule: Watching; loaded: LoadedFacts; fired: Review['fire'][number] },
): Promise<AlertRow> =>
  trx
    .updateTable('alert')
    .set({
      // A fault of a domain may now belong to another monitor, and a fault of a certificate to another rule.
      ...(fired.trigger === 'monitor_down' ? {} : carrierOf(rule, loaded.monitor)),
      resolved_at: null,
      end_reason: null,
      told: 0,
      delivery_status: 'pending',
      error: null,
      remind_at: reminderAt(rule, loaded.facts.at),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** The rule and the monitor of the alert. */
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

/** Since when the fault exists, and why. */
function faultOf(
  { trigger, subject }: Pick<Review['fire'][number], 'trigger' | 'subject'>,
  { facts, failingSince, error }: LoadedFacts,
): Pick<Notice, 'since' | 'error'> {
  const expiry = facts.expiry.find((fault) => fault.trigger === trigger && fault.subject === subject);
  return expiry
    ? { since: facts.at, error: { code: expiry.trigger, message: expiry.message } }
    : { since: failingSince, error };
}
