import type { Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import { newId } from '../../store/ids.ts';
import type { DeliveryKind, Tables } from '../../store/tables.ts';
import { bringForward, type InLane, laneOf, touchHead } from './lane.ts';

/**
 * Puts a message into the outbox; it is sent after those before it in its lane, once the transaction is committed. What
 * waits there between attempts is tried now: it must not hold up what is new.
 */
export async function enqueue(
  trx: Transaction<Tables>,
  alert: InLane,
  notice: Notice & { kind: DeliveryKind },
  now: number,
): Promise<void> {
  const lane = laneOf(alert);
  // Who waited for a head that was finished meanwhile has to look for the next.
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
