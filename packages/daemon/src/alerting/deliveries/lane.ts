import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { AlertRow, DeliveryRow, Tables } from '../../store/tables.ts';

/** The fields of an alert that decide its lane. */
export type InLane = Pick<AlertRow, 'seq' | 'type' | 'rule' | 'monitor' | 'channel'>;

/**
 * Returns the lane of an alert. Messages of one lane are sent one after another. Each alert about a certificate or a
 * domain has a lane of its own. Such an alert may move to another rule or monitor. It must not delay the messages about
 * outages of that monitor.
 */
export const laneOf = ({ seq, type, rule, monitor, channel }: InLane) =>
  type === 'monitor_down' ? `${rule}:${monitor}:${channel}` : `alert:${seq}`;

/**
 * Resolves with the given lanes that have an unfinished message. Also updates the first unfinished message of each
 * lane, but changes no value. This update conflicts with a transaction that finishes the message at the same time. The
 * finishing transaction then runs again (see `transaction` in store/dialect.ts). It then sees the caller's new
 * messages, and makes the next message due.
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

/** Makes the first waiting message of a lane due at `at` (epoch milliseconds). */
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
 * If a message in one of these lanes waits for its next attempt, makes it due now, because newer messages wait behind
 * it. Also resets its number of attempts, so that the waits between attempts are short again.
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
    // Leaves out refused messages: each has only one retry, a minute after the refusal.
    .where('refusals', '=', 0)
    .execute();
}

/**
 * Makes the first message of the latest alert in a lane due, so that this alert overtakes an earlier alert whose
 * message keeps failing.
 */
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

/** Makes the first waiting message of an alert due. */
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

/**
 * Selects the lowest `seq` of the unfinished messages of these lanes. If the caller groups by lane, selects the lowest
 * `seq` of each lane.
 */
const firstOf = (of: ExpressionBuilder<Tables, 'delivery'>, lanes: readonly string[]) =>
  of
    .selectFrom('delivery')
    .select((min) => min.fn.min('seq').as('seq'))
    .where('lane', 'in', lanes)
    .where('status', '=', sql.lit('pending'));
