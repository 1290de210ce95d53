import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { AlertRow, DeliveryRow, Tables } from '../../store/tables.ts';

/** What of an alert decides its lane. */
export type InLane = Pick<AlertRow, 'seq' | 'type' | 'rule' | 'monitor' | 'channel'>;

/**
 * Messages of one lane are sent one after another. An alert about a certificate or a domain has a lane of its own: it may
 * move to another rule or monitor, and must not hold up an outage.
 */
export const laneOf = ({ seq, type, rule, monitor, channel }: InLane) =>
  type === 'monitor_down' ? `${rule}:${monitor}:${channel}` : `alert:${seq}`;

/**
 * Whether a message of the lane is still to be sent; whoever finishes it then lets the next one go. It is written to,
 * with nothing changed, so that who finishes it at the same moment notices (see `transaction` in store/dialect).
 */
export async function touchHead(trx: Transaction<Tables>, lane: string): Promise<boolean> {
  const head = await trx
    .updateTable('delivery')
    .set({ status: 'pending' })
    .where('status', '=', sql.lit('pending'))
    .where('seq', '=', headOf(lane))
    .returning('seq')
    .executeTakeFirst();
  return head !== undefined;
}

/** Makes the first message that still waits in a lane due, at `at` in epoch milliseconds. */
export async function freeLane(trx: Transaction<Tables>, lane: string, at: number): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ next_at: at })
    .where('next_at', 'is', null)
    .where('status', '=', sql.lit('pending'))
    .where('seq', '=', headOf(lane))
    .execute();
}

/** Makes what waits between attempts in a lane due now, its back-off begun anew: something newer waits behind it. */
export async function bringForward(trx: Transaction<Tables>, lane: string, now: number): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ next_at: now, attempts: 0 })
    .where('lane', '=', lane)
    .where('status', '=', sql.lit('pending'))
    .where('next_at', '>', now)
    .where('lease_until', '=', 0)
    // A refusal is tested after a minute, and then no more.
    .where('refusals', '=', 0)
    .execute();
}

/** Lets the latest alert of a lane pass a message of an earlier one, which fails again and again. */
export async function letPass(
  trx: Transaction<Tables>,
  { lane, alert }: Pick<DeliveryRow, 'lane' | 'alert'>,
  at: number,
): Promise<void> {
  const latest = await trx
    .selectFrom('delivery')
    .select((row) => row.fn.max('alert').as('alert'))
    .where('lane', '=', lane)
    .where('status', '=', sql.lit('pending'))
    .executeTakeFirst();
  if (latest && latest.alert > alert) await freeAlert(trx, { lane, alert: latest.alert }, at);
}

/** Makes the first message of an alert that still waits in its lane due. */
export async function freeAlert(
  trx: Transaction<Tables>,
  { lane, alert }: Pick<DeliveryRow, 'lane' | 'alert'>,
  at: number,
): Promise<void> {
  const first = await trx
    .selectFrom('delivery')
    .select(['seq', 'next_at'])
    .where('lane', '=', lane)
    .where('status', '=', sql.lit('pending'))
    .where('alert', '=', alert)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  if (first && first.next_at === null)
    await trx.updateTable('delivery').set({ next_at: at }).where('seq', '=', first.seq).execute();
}

/** The seq of the first message of a lane that is not finished. */
const headOf = (lane: string) => (of: ExpressionBuilder<Tables, 'delivery'>) =>
  of
    .selectFrom('delivery')
    .select((min) => min.fn.min('seq').as('seq'))
    .where('lane', '=', lane)
    .where('status', '=', sql.lit('pending'));
