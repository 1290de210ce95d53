import { channelTypeDefinitions } from '@uptime/sdk/contract';
import { type Transaction, sql } from 'kysely';
import type { MessageForm } from '../../core/message-form.ts';
import type { ChannelRow, DeliveryRow, Tables } from '../../store/tables.ts';
import { unconfirmedReason } from '../confirmations/unconfirmed.ts';
import { type CountedMessage, countMessage } from '../message-budget/message-counts.ts';
import { limitName, minuteOf } from '../message-budget/message-limits.ts';
import type { MessageRules } from '../message-rules.ts';
import type { DelayedChannel } from './claim-deliveries.ts';
import { giveUpDelivery } from './finish-delivery.ts';
import { type DelayedMessage, delayDelivery } from './delay-delivery.ts';

/** A message that is about to be sent. */
interface Admitted {
  delivery: DeliveryRow;
  channel: Pick<ChannelRow, 'id' | 'type' | 'project_id' | 'confirmed_at' | 'held_why' | 'wait_until'>;
  form: MessageForm;
  now: number;
}

/**
 * Whether a message may be sent now (`ok`). `limited` is a sentence for the end of the message if a limit allows no
 * further messages for now; otherwise null. `delayed` is the channel if a limit has just begun to delay its messages;
 * otherwise null.
 */
export type AdmitAnswer =
  { ok: true; counted: CountedMessage | null; limited: string | null } | { ok: false; delayed: DelayedChannel | null };

const unlimited: AdmitAnswer = { ok: true, counted: null, limited: null };

/** Maximum number of waiting messages that are counted. If there are more, the message says "More than 100". */
const maxCounted = 100;

/**
 * Decides whether a message may be sent now, and counts it against the limits if so. A message to an unconfirmed
 * address is given up. If a limit has no room, `delayDelivery` decides whether the message waits or is given up.
 */
export async function admitMessage(
  trx: Transaction<Tables>,
  rules: MessageRules,
  { delivery, channel, form, now }: Admitted,
): Promise<AdmitAnswer> {
  const { gateway } = channelTypeDefinitions[channel.type];
  if (!gateway) return unlimited;
  const why = unconfirmedReason(channel, rules);
  if (why !== null) {
    await giveUpDelivery(trx, delivery, { why, now });
    return { ok: false, delayed: null };
  }
  const project = await trx
    .selectFrom('project')
    .select(['id', 'user_id'])
    .where('id', '=', channel.project_id)
    .executeTakeFirstOrThrow();
  const { kind } = gateway;
  const purpose = purposeOf(form);
  const sender = { channel: channel.id, project: project.id, account: project.user_id };
  const count = await countMessage(trx, rules.limits, { kind, purpose, sender, now });
  if (!count.ok) {
    const limit = limitName(count.by, kind);
    const message = { delivery, form: purpose, limit, until: count.until, untilMinute: minuteOf(count.until), now };
    const why = await delayDelivery(trx, message);
    return { ok: false, delayed: why === null || channel.held_why !== null ? null : delayedChannel(channel, why) };
  }
  // The delay of a channel counts as over only if the limit has room for more than this message. Otherwise a delay
  // would seem to end and begin again with each message, and the log would report it each time.
  if (channel.held_why !== null && count.left > 0)
    await trx.updateTable('channel').set({ held_why: null }).where('id', '=', channel.id).execute();
  if (count.left > 0 || count.tightest === null) return { ok: true, counted: count.counted, limited: null };
  const waiting = await countWaiting(trx, delivery, now);
  const limited = `${waiting} because ${limitName(count.tightest, kind)} is reached. The list of alerts shows all alerts.`;
  return { ok: true, counted: count.counted, limited };
}

const purposeOf = (form: MessageForm): DelayedMessage['form'] =>
  form === 'recovery' || form === 'reminder' ? form : form === 'close' ? 'recovery' : 'alarm';

const delayedChannel = ({ id, project_id }: Admitted['channel'], why: string): DelayedChannel => ({
  channel: id,
  project: project_id,
  why,
});

/** Returns words that say how many due messages of the same channel are waiting, such as "4 more messages wait,". */
async function countWaiting(trx: Transaction<Tables>, { channel, seq }: DeliveryRow, now: number): Promise<string> {
  const rows = await trx
    .selectFrom('delivery')
    .select('seq')
    .where('status', '=', sql.lit('pending'))
    .where('channel', '=', channel)
    .where('next_at', '<=', now)
    .where('seq', '!=', seq)
    .limit(maxCounted + 1)
    .execute();
  if (rows.length === 0) return 'Further messages have to wait,';
  const more = rows.length > maxCounted ? `More than ${maxCounted}` : String(rows.length);
  return `${more} more ${rows.length === 1 ? 'message waits' : 'messages wait'},`;
}
