import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { AlertRow, Tables } from '../../store/tables.ts';

/** Messages of one lane are sent one after another. */
export const laneOf = ({ rule, monitor, channel }: Pick<AlertRow, 'rule' | 'monitor' | 'channel'>) =>
  `${rule}:${monitor}:${channel}`;

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

/** The seq of the first message of a lane that is not finished. */
const headOf = (lane: string) => (of: ExpressionBuilder<Tables, 'delivery'>) =>
  of
    .selectFrom('delivery')
    .select((min) => min.fn.min('seq').as('seq'))
    .where('lane', '=', lane)
    .where('status', '=', sql.lit('pending'));
