import type { Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import { newId } from '../../store/ids.ts';
import type { DeliveryKind, Tables } from '../../store/tables.ts';
import { bringForward, type InLane, laneOf, touchHead } from './lane.ts';

/**
 * Puts a message into the outbox. Once the transaction is committed, it is sent after the earlier ones in its lane. An
 * earlier message that waits between attempts is retried now, so that it does not delay the new one.
 */
export async function enqueue(
  trx: Transaction<Tables>,
  alert: InLane,
  notice: Notice & { kind: DeliveryKind },
  now: number,
): Promise<void> {
  const lane = laneOf(alert);
  // The head of the lane may finish while the first call waits for its lock. Then the second call finds the next head.
  const laneIsBusy = (await touchHead(trx, lane)) || (await touchHead(trx, lane));
  if (laneIsBusy && notice.kind !== 'reminder') await bringForward(trx, lane, now);
  await trx
    .insertInto('delivery')
    .values({
      id: newId('dlv', now),
      alert: alert.seq,
      channel: alert.channel,
      lane,
      kind: notice.kind,
      notice: JSON.stringify(notice),
      status: 'pending',
      tried_since: null,
      next_at: laneIsBusy ? null : now,
      created_at: now,
      finished_at: null,
    })
    .execute();
}
