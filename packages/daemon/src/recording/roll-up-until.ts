import { sql, type Transaction } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { addTimes } from './add-times.ts';

/**
 * Rolls up the time of many monitors up to `until`, but not the time in which nothing checked them. Leaves out monitors
 * that another node has locked, and monitors that are rolled up already. The transaction need not be durable: if a
 * power cut undoes it, the next call rolls up the same time again.
 */
export async function rollUpUntil(
  store: Store,
  trx: Transaction<Tables>,
  monitors: readonly number[],
  until: number,
): Promise<void> {
  const isAmong = store.dialect.isAmong('monitor', store.dialect.encodeNumbers(monitors));
  const rows = await trx
    .selectFrom('monitor_state')
    .select(['monitor', 'status', 'unobserved_since', 'rolled_up_until'])
    .where(isAmong)
    .where('rolled_up_until', '<', until)
    .where((row) =>
      row.or([row('unobserved_since', 'is', null), row('rolled_up_until', '<', row.ref('unobserved_since'))]),
    )
    .orderBy('monitor')
    .modifyEnd(store.dialect.skipLocked('monitor_state'))
    .execute();
  if (rows.length === 0) return;
  await addTimes(store, trx, rows, until);
  const held = store.dialect.encodeNumbers(rows.map(({ monitor }) => monitor));
  await trx
    .updateTable('monitor_state')
    .set({
      rolled_up_until: sql<number>`case when unobserved_since < ${until} then unobserved_since else ${until} end`,
    })
    .where(store.dialect.isAmong('monitor', held))
    .execute();
}
