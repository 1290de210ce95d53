import { sql, type Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import type { Store } from '../../store/store.ts';
import type { ChannelRow, DeliveryRow, Tables } from '../../store/tables.ts';
import { maintenanceEnd } from '../maintenance-windows.ts';
import { finishDelivery } from './finish-delivery.ts';

/** A message that this process alone may send, for as long as its claim holds. */
export interface ClaimedDelivery extends Pick<DeliveryRow, 'seq' | 'id' | 'alert' | 'kind' | 'attempts'> {
  /** The channel's seq. */
  to: number;
  createdAt: number;
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
      .selectAll()
      .where('seq', 'in', wanted)
      .where('status', '=', sql.lit('pending'))
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .modifyEnd(store.dialect.skipLocked)
      .execute();
    const claimed: ClaimedDelivery[] = [];
    for (const row of due) {
      const channel = await trx
        .selectFrom('channel')
        .select(['id', 'type', 'config'])
        .where('seq', '=', row.channel)
        .executeTakeFirst();
      const reason = channel ? await obsolete(trx, row) : 'The channel was deleted.';
      if (!channel || reason !== null) {
        await finishDelivery(trx, { delivery: row.seq, at: now, gaveUp: reason ?? '' });
        continue;
      }
      const until = await heldUntil(trx, row, now);
      await trx
        .updateTable('delivery')
        .set(until === null ? { next_at: leaseUntil, lease_until: leaseUntil } : { next_at: until })
        .where('seq', '=', row.seq)
        .execute();
      if (until !== null) continue;
      const { seq, id, alert, kind, attempts, created_at: createdAt, channel: to } = row;
      claimed.push({
        seq,
        id,
        alert,
        kind,
        attempts,
        createdAt,
        to,
        channel,
        notice: JSON.parse(row.notice) as Notice,
      });
    }
    return claimed;
  });
}

/** Why a message is not sent any more, or null. */
async function obsolete(trx: Transaction<Tables>, { alert, kind }: DeliveryRow): Promise<string | null> {
  if (kind === 'alarm') return null;
  const { delivery_status: alarm } = await trx
    .selectFrom('alert')
    .select('delivery_status')
    .where('seq', '=', alert)
    .executeTakeFirstOrThrow();
  return alarm === 'failed' ? 'Not sent, because its alarm did not arrive.' : null;
}

/** Until when a maintenance window holds a message back, or null. */
async function heldUntil(trx: Transaction<Tables>, { alert }: DeliveryRow, now: number): Promise<number | null> {
  const { monitor } = await trx
    .selectFrom('alert')
    .select('monitor')
    .where('seq', '=', alert)
    .executeTakeFirstOrThrow();
  return maintenanceEnd(trx, monitor, now);
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
