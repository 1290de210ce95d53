import { sql, type Transaction } from 'kysely';
import type { DeliveryRow, Tables } from '../../store/tables.ts';
import { giveUpDelivery } from './finish-delivery.ts';

/** A message that a limit has no room for. */
export interface DelayedMessage {
  delivery: DeliveryRow;
  /** The kind of message that would be sent now. */
  form: 'alarm' | 'recovery' | 'reminder';
  /** The name of the limit, in words. */
  limit: string;
  /** The time when the limit has room again, in epoch milliseconds. */
  until: number;
  /** `until` as text, rounded up to the minute. */
  untilMinute: string;
  now: number;
}

/**
 * Decides what happens to a message that a limit has no room for:
 * - An alarm waits. It is never given up because of a limit. All other messages of its channel wait with it.
 * - A recovery waits. It is given up as soon as a message of a later outage waits behind it.
 * - A reminder is given up, because its alarm arrived and another reminder will follow.
 * Resolves with a sentence for people if the whole channel waits from now on; otherwise null.
 */
export async function delayDelivery(trx: Transaction<Tables>, delayed: DelayedMessage): Promise<string | null> {
  const { delivery, form, limit, until, untilMinute, now } = delayed;
  if (form === 'alarm') {
    const why = `Waits until ${untilMinute}, because ${limit} is reached.`;
    await trx
      .updateTable('channel')
      .set({ wait_until: until, held_why: why })
      .where('seq', '=', delivery.channel)
      .execute();
    // An alarm that keeps failing is given up a day after its first attempt. The delay must not be part of that day, so
    // the day begins again.
    await trx.updateTable('delivery').set({ tried_since: null }).where('seq', '=', delivery.seq).execute();
    return why;
  }
  const notSent = `Not sent, because ${limit} leaves room for alarms only, until ${untilMinute}.`;
  if (form === 'reminder' || (await isOvertaken(trx, delivery))) {
    await giveUpDelivery(trx, delivery, { why: notSent, now });
    return null;
  }
  // When the alarm of a new outage is queued behind this recovery, `bringForward` makes the recovery due. If the limit
  // still has no room, the recovery is given up then, and the alarm need not wait for it. `refusals` becomes 0, because
  // `bringForward` skips messages with refusals.
  await trx.updateTable('delivery').set({ next_at: until, refusals: 0 }).where('seq', '=', delivery.seq).execute();
  return null;
}

/** Whether a message of a later outage waits behind this message. */
async function isOvertaken(trx: Transaction<Tables>, { lane, alert }: DeliveryRow): Promise<boolean> {
  const later = await trx
    .selectFrom('delivery')
    .select('seq')
    .where('lane', '=', lane)
    .where('status', '=', sql.lit('pending'))
    .where('alert', '>', alert)
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}
