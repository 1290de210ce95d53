import { sql } from 'kysely';
import { stateFromRow } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import { account } from './account.ts';

const chunk = 500;

/**
 * From `from` to `to` (epoch milliseconds) nobody watched: the daemon was stopped or suspended, its store was gone, or
 * the clock jumped. That time is no evidence: it counts in no uptime, is not held against a heartbeat's silence, and
 * checks missed in it are due now.
 */
export async function recordAbsence(
  store: Store,
  instance: { name: string; region: number },
  from: number,
  to: number,
): Promise<void> {
  for (let after = 0; ;) {
    const rows = await store.db
      .selectFrom('monitor_state')
      .selectAll()
      .where('monitor', '>', after)
      .orderBy('monitor')
      .limit(chunk)
      .execute();
    if (rows.length === 0) break;
    await store.write(async (trx) => {
      for (const { monitor } of rows) {
        const row = await trx.selectFrom('monitor_state').selectAll().where('monitor', '=', monitor).executeTakeFirst();
        if (!row) continue;
        await account(trx, monitor, { ...stateFromRow(row), accountedUntil: row.accounted_until }, from);
        await trx
          .updateTable('monitor_state')
          .set({ accounted_until: Math.max(to, row.accounted_until) })
          .where('monitor', '=', monitor)
          .execute();
      }
    });
    after = rows.at(-1)!.monitor;
  }
  await store.write(async (trx) => {
    await trx
      .updateTable('monitor_state')
      .set({ ping_due_at: sql<number>`ping_due_at + ${to - from}`, blind_since: null })
      .where('ping_due_at', 'is not', null)
      .execute();
    await trx
      .updateTable('schedule')
      .set({ next_at: to })
      .where('region', '=', instance.region)
      .where('next_at', '<', to)
      .execute();
    await trx.updateTable('presence').set({ alive_at: to }).where('instance', '=', instance.name).execute();
  });
}
