import { sql, type Transaction } from 'kysely';
import { revivalGapMs } from '../../core/backoff.ts';
import type { Tables } from '../../store/tables.ts';

interface Occasion {
  at: number;
  /** Whether the channel has a new config or a new confirmation. If so, its earlier failures are forgotten. */
  fresh: boolean;
}

/**
 * Makes the waiting messages of a channel due at once. Call it when the channel works again, or has a new config or
 * confirmation. Messages that were given up are retried if their outage continues. Without `fresh`, a message that was
 * tried just now waits a moment longer (see `revivalGapMs`).
 */
export async function reviveChannel(trx: Transaction<Tables>, channel: number, { at, fresh }: Occasion): Promise<void> {
  const again = fresh ? { attempts: 0, refusals: 0, tried_since: null } : { refusals: 0 };
  const gap = sql<number>`case when attempts < 60 then attempts else 60 end * ${sql.lit(revivalGapMs(1))}`;
  const soonest = sql<number>`coalesce(tried_at, 0) + ${gap}`;
  await trx
    .updateTable('delivery')
    .set({ ...again, next_at: fresh ? at : sql<number>`case when ${soonest} > ${at} then ${soonest} else ${at} end` })
    .where('channel', '=', channel)
    .where('status', '=', sql.lit('pending'))
    .where('next_at', '>', at)
    .where((row) => (fresh ? row.lit(true) : row('next_at', '>', soonest)))
    .where('lease_until', '=', 0)
    .execute();

  const failedAlerts = await trx
    .selectFrom('alert')
    .innerJoin('delivery', 'delivery.alert', 'alert.seq')
    .select(['alert.seq', (row) => row.fn.max('delivery.seq').as('delivery')])
    .where('alert.channel', '=', channel)
    .where('alert.resolved_at', 'is', null)
    .where('alert.delivery_status', '=', sql.lit('failed'))
    .groupBy('alert.seq')
    .execute();
  for (const { seq, delivery } of failedAlerts) {
    const revived = await trx
      .updateTable('delivery')
      .set({ ...again, status: 'pending', tried_since: null, next_at: at, lease_until: 0, finished_at: null })
      .where('seq', '=', delivery)
      .where('status', '=', sql.lit('failed'))
      .where((row) => (fresh ? row.lit(true) : row(soonest, '<=', at)))
      .returning('seq')
      .executeTakeFirst();
    if (revived) await trx.updateTable('alert').set({ delivery_status: 'pending' }).where('seq', '=', seq).execute();
  }
}
