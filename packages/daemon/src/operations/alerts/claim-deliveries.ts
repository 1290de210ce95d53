import { sql } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import type { Store } from '../../store/store.ts';
import type { ChannelRow, DeliveryRow } from '../../store/tables.ts';
import { maintenanceEnd } from '../maintenance-windows.ts';
import { finishDelivery } from './finish-delivery.ts';

/** A message that this process alone may send, for as long as its claim holds. */
export interface ClaimedDelivery extends Pick<DeliveryRow, 'seq' | 'id'> {
  /** The channel's seq. */
  to: number;
  channel: Pick<ChannelRow, 'id' | 'type' | 'config'>;
  notice: Notice;
}

/**
 * Takes messages (by seq) that are due and held by nobody, until `leaseUntil`. Those that are not to be sent are settled
 * here: what a maintenance window holds back is put off, what has no channel any more or follows an alarm that never
 * arrived is given up. Times in epoch milliseconds. What it answers is on the disk.
 */
export async function claimDeliveries(
  store: Store,
  wanted: readonly number[],
  { now, leaseUntil }: { now: number; leaseUntil: number },
): Promise<ClaimedDelivery[]> {
  if (wanted.length === 0) return [];
  return store.write(async (trx) => {
    const due = await trx
      .selectFrom('delivery')
      .innerJoin('alert', 'alert.seq', 'delivery.alert')
      .leftJoin('channel', 'channel.seq', 'delivery.channel')
      .select(['delivery.seq', 'delivery.id', 'delivery.kind', 'delivery.notice', 'delivery.channel as to'])
      .select(['alert.monitor', 'alert.delivery_status as alarm'])
      .select(['channel.id as channelId', 'channel.type', 'channel.config'])
      .where('delivery.seq', 'in', wanted)
      .where('delivery.status', '=', sql.lit('pending'))
      .where('delivery.next_at', '<=', now)
      .orderBy('delivery.next_at')
      .modifyEnd(store.dialect.skipLocked('delivery'))
      .execute();
    const claimed: ClaimedDelivery[] = [];
    for (const { seq, id: deliveryId, kind, notice, to, monitor, alarm, channelId: id, type, config } of due) {
      const until = await maintenanceEnd(trx, monitor, now);
      if (id === null || type === null || config === null)
        await finishDelivery(trx, { delivery: seq, at: now, gaveUp: 'The channel was deleted.' });
      else if (kind !== 'alarm' && alarm === 'failed')
        await finishDelivery(trx, { delivery: seq, at: now, gaveUp: 'Not sent, because its alarm did not arrive.' });
      else if (until !== null)
        await trx.updateTable('delivery').set({ next_at: until }).where('seq', '=', seq).execute();
      else {
        const channel = { id, type, config };
        claimed.push({ seq, id: deliveryId, to, channel, notice: JSON.parse(notice) as Notice });
      }
    }
    if (claimed.length > 0) {
      const seqs = claimed.map(({ seq }) => seq);
      const lease = { next_at: leaseUntil, lease_until: leaseUntil };
      await trx.updateTable('delivery').set(lease).where('seq', 'in', seqs).execute();
    }
    return claimed;
  });
}

/** Gives claims back, so that the messages are due again. */
export async function releaseDeliveries(store: Store, claimed: readonly number[], now: number): Promise<void> {
  if (claimed.length === 0) return;
  await store.write((trx) =>
    trx
      .updateTable('delivery')
      .set({ next_at: now, lease_until: 0 })
      .where('seq', 'in', claimed)
      .where('status', '=', sql.lit('pending'))
      .execute(),
  );
}

/** At a start: what an earlier process had claimed is due again, where it cannot be at work any more. */
export async function freeDeliveries(store: Store, now: number): Promise<void> {
  if (!store.dialect.exclusive) return;
  await store.write((trx) =>
    trx
      .updateTable('delivery')
      .set({ next_at: now, lease_until: 0 })
      .where('status', '=', sql.lit('pending'))
      .where('next_at', 'is not', null)
      .where('lease_until', '>', 0)
      .execute(),
  );
}
