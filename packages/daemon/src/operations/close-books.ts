import { stateFromRow } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import { account } from './account.ts';

const chunk = 500;

/**
 * Enters every monitor's time until `from`, some monitors at a time. From there until `to` nothing counts in any uptime.
 * Both in epoch milliseconds.
 */
export async function closeBooks(store: Store, from: number, to: number): Promise<void> {
  for (let after = 0; ;) {
    const rows = await store.db
      .selectFrom('monitor_state')
      .select('monitor')
      .where('monitor', '>', after)
      .orderBy('monitor')
      .limit(chunk)
      .execute();
    if (rows.length === 0) return;
    await store.write(async (trx) => {
      for (const { monitor } of rows) {
        const row = await trx.selectFrom('monitor_state').selectAll().where('monitor', '=', monitor).executeTakeFirst();
        if (!row) continue;
        const { accounted_until: accountedUntil } = row;
        await account(trx, monitor, { ...stateFromRow(row), accountedUntil }, from);
        await trx
          .updateTable('monitor_state')
          .set({ accounted_until: Math.max(to, accountedUntil) })
          .where('monitor', '=', monitor)
          .execute();
      }
    });
    after = rows.at(-1)!.monitor;
  }
}
