import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * Locks a monitor until the end of the transaction, on PostgreSQL. So transactions that record results of this monitor,
 * or change data that depends on these results, run one after another. A transaction that waited runs again if it has
 * already read data. Without this lock, PostgreSQL would notice a conflict only if both transactions change the same
 * row. It would not notice that one transaction reads a row which the other one changes.
 */
export const lockMonitor = (trx: Transaction<Tables>, monitor: number): Promise<void> => lockMonitors(trx, [monitor]);

/** Locks many monitors, as `lockMonitor` locks one. */
export async function lockMonitors(trx: Transaction<Tables>, monitors: readonly number[]): Promise<void> {
  if (monitors.length === 0) return;
  await trx
    .updateTable('monitor_state')
    .set((row) => ({ monitor: row.ref('monitor') }))
    .where('monitor', 'in', monitors)
    .execute();
}
