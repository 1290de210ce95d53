import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { AlertRow, DeliveryRow, Tables } from '../../store/tables.ts';

/** The fields of an alert that decide its lane. */
export type InLane = Pick<AlertRow, 'seq' | 'type' | 'rule' | 'monitor' | 'channel'>;

/**
 * The lane of an alert. Messages of one lane are sent one after another. An alert about a certificate or a domain has
 * its own lane, because it may move to another rule or monitor. There its messages must not delay those of an outage.
 */
export const laneOf = ({ seq, type, rule, monitor, channel }: InLane) =>
  type === 'monitor_down' ? `${rule}:${monitor}:${channel}` : `alert:${seq}`;

/**
 * Returns which of these lanes have an unfinished message. When the first such message finishes, it makes the next
 * message of the lane due. This function rewrites the row of that first message without a change. So a concurrent
 * transaction that finishes the message gets a conflict (see `transaction` in store/dialect).
 */
export async function touchHeads(trx: Transaction<Tables>, lanes: readonly string[]): Promise<string[]> {
  if (lanes.length === 0) return [];
  const heads = await trx
    .updateTable('delivery')
    .set({ status: 'pending' })
    .where('status', '=', sql.lit('pending'))
    .where('seq', 'in', (of) => firstOf(of, lanes).groupBy('lane'))
    .returning('lane')
    .execute();
  return heads.map(({ lane }) => lane);
}

/** Makes the first waiting message of a lane due, at `at` in epoch milliseconds. */
export async function makeLaneDue(trx: Transaction<Tables>, lane: string, at: number): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ next_at: at })
    .where('next_at', 'is', null)
    .where('status', '=', sql.lit('pending'))
    .where('seq', '=', (of) => firstOf(of, [lane]))
    .execute();
}

/**
 * In these lanes, messages that wait for their next attempt become due now, and their back-off begins again. The reason
 * is that newer messages wait behind them.
 */
export async function bringForward(trx: Transaction<Tables>, lanes: readonly string[], now: number): Promise<void> {
  if (lanes.length === 0) return;
  await trx
    .updateTable('delivery')
    .set({ next_at: now, attempts: 0 })
    .where('lane', 'in', lanes)
    .where('status', '=', sql.lit('pending'))
    .where('next_at', '>', now)
    .where('lease_until', '=', 0)
    // A refused message still waits a minute before its only retry.
    .where('refusals', '=', 0)
    .execute();
}

/** Lets the latest alert of a lane overtake an earlier alert whose message keeps failing. */
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
  if (latest && latest.alert > alert) await makeAlertDue(trx, { lane, alert: latest.alert }, at);
}

/** Makes the first waiting message of an alert in its lane due. */
export async function makeAlertDue(
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

/** The seq of the first unfinished message of these lanes. */
const firstOf = (of: ExpressionBuilder<Tables, 'delivery'>, lanes: readonly string[]) =>
  of
    .selectFrom('delivery')
    .select((min) => min.fn.min('seq').as('seq'))
    .where('lane', 'in', lanes)
    .where('status', '=', sql.lit('pending'));
