import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import { closeBooks } from './close-books.ts';
import { monitorRanges } from './monitor-ranges.ts';

/**
 * From `from` to `to` (epoch milliseconds) nobody watched: the daemon was stopped, or stood still, or its store was gone.
 * That time is no evidence: it counts in no uptime, is not held against a heartbeat's silence, and checks missed in it
 * are due now. Pings that came meanwhile may be recorded before this or after.
 */
export async function recordAbsence(
  store: Store,
  instance: { name: string; region: number },
  from: number,
  to: number,
): Promise<void> {
  await closeBooks(store, from, to);
  await store.write(async (trx) => {
    // All of the gap is given back, but none waits longer than after a ping now. No ping's own time is ever lowered.
    const due = sql<number>`ping_due_at + ${sql.lit(to - from)}`;
    const most = sql<number>`case when last_ping_at > ${sql.lit(to)} then last_ping_at else ${sql.lit(to)} end + patience`;
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
