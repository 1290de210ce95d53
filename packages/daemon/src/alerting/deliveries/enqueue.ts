import type { Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import { newId } from '../../store/ids.ts';
import type { AlertRow, DeliveryKind, Tables } from '../../store/tables.ts';
import { bringForward, type InLane, laneOf, touchHeads } from './lane.ts';

/** A message about an alert. */
export interface Message {
  alert: InLane & Pick<AlertRow, 'project_id'>;
  notice: Notice & { kind: DeliveryKind };
}

/**
 * Puts messages into the outbox, in the given order. After the commit, each message is sent as soon as the earlier
 * messages of its lane are finished. If an earlier message waits for its next attempt, that attempt is made now, so
 * that the new messages do not wait for long.
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
      project: alert.project_id,
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

/** Resolves with the given lanes that have an unfinished message. */
async function busyLanes(trx: Transaction<Tables>, lanes: readonly string[]): Promise<Set<string>> {
  const found = await touchHeads(trx, lanes);
  // While the first call waits for the lock on a lane's first unfinished message, that message may finish. The first
  // call then does not find the lane. The second call finds the lane by its next message.
  const again = await touchHeads(
    trx,
    lanes.filter((lane) => !found.includes(lane)),
  );
  return new Set([...found, ...again]);
}
