import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import { accountAllTime } from './account-all-time.ts';
import { monitorRanges } from '../stored-monitors/monitor-ranges.ts';

/**
 * Records that the daemon was absent from `from` to `to` (epoch milliseconds): it was stopped, or stalled, or its store
 * was gone. That time counts in no uptime and in no heartbeat's silence, and checks missed in it are due now. Pings
 * that arrived meanwhile may be recorded before this or after.
 */
export async function recordAbsence(
  store: Store,
  instance: { name: string; region: number },
  from: number,
  to: number,
): Promise<void> {
  await accountAllTime(store, from, to);
  await store.write(async (trx) => {
    // The whole gap is given back, but no heartbeat waits longer than after a ping now. A deadline set by a ping is
    // never lowered.
    const due = sql<number>`ping_due_at + ${sql.lit(to - from)}`;
    const most = sql<number>`case when last_ping_at > ${sql.lit(to)} then last_ping_at else ${sql.lit(to)} end + allowed_silence_ms`;
    for await (const { first, last } of monitorRanges(trx)) {
      await trx
        .updateTable('monitor_state')
        .set({ ping_due_at: sql<number>`case when ${due} < ${most} then ${due} else ${most} end` })
        .where('monitor', '>=', first)
        .where('monitor', '<=', last)
        .where('ping_due_at', '<', most)
        .execute();
      await trx
        .updateTable('schedule')
        .set({ next_at: to })
        .where('monitor', '>=', first)
        .where('monitor', '<=', last)
        .where('region', '=', instance.region)
        .where('next_at', '<', to)
        .execute();
    }
    await trx.updateTable('presence').set({ alive_at: to }).where('instance', '=', instance.name).execute();
  });
}
