import type { Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import { newId } from '../../store/ids.ts';
import type { DeliveryKind, Tables } from '../../store/tables.ts';
import { bringForward, type InLane, laneOf, touchHeads } from './lane.ts';

/** A message about an alert. */
export interface Message {
  alert: InLane;
  notice: Notice & { kind: DeliveryKind };
}

/**
 * Puts messages into the outbox, in this order. Once the transaction is committed, each is sent after the earlier ones
 * in its lane. Earlier messages that wait between attempts are retried now, so that they do not delay the new ones.
 */
export async function enqueue(trx: Transaction<Tables>, messages: readonly Message[], now: number): Promise<void> {
  if (messages.length === 0) return;
  const inLanes = messages.map(({ alert, notice }) => ({ alert, notice, lane: laneOf(alert) }));
  const busy = await busyLanes(
    trx,
    inLanes.map(({ lane }) => lane),
  );
  const retried = inLanes.filter(({ lane, notice }) => busy.has(lane) && notice.kind !== 'reminder');
  await bringForward(
    trx,
    retried.map(({ lane }) => lane),
    now,
  );
  const rows = inLanes.map(({ alert, notice, lane }) => {
    const waits = busy.has(lane);
    busy.add(lane);
    return {
      id: newId('dlv', now),
      alert: alert.seq,
      channel: alert.channel,
      lane,
      kind: notice.kind,
      notice: JSON.stringify(notice),
      status: 'pending' as const,
      tried_since: null,
      next_at: waits ? null : now,
      created_at: now,
      finished_at: null,
    };
  });
  await trx.insertInto('delivery').values(rows).execute();
}

/** The lanes with an unfinished message. */
async function busyLanes(trx: Transaction<Tables>, lanes: readonly string[]): Promise<Set<string>> {
  const found = await touchHeads(trx, lanes);
  // The head of a lane may finish while the first call waits for its lock. Then the second call finds the next head.
  const again = await touchHeads(
    trx,
    lanes.filter((lane) => !found.includes(lane)),
  );
  return new Set([...found, ...again]);
}
