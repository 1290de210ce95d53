import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * On PostgreSQL, serializes transactions that record results of this monitor, or change data that depends on them. The
 * later transaction waits, and runs again if it has already read. Without this lock, PostgreSQL would not notice a
 * conflict about a row that one of them only reads.
 */
export const lockMonitor = (trx: Transaction<Tables>, monitor: number): Promise<void> => lockMonitors(trx, [monitor]);

/** Locks many monitors at once, as `lockMonitor` locks one. */
export async function lockMonitors(trx: Transaction<Tables>, monitors: readonly number[]): Promise<void> {
  if (monitors.length === 0) return;
  await trx
    .updateTable('monitor_state')
    .set((row) => ({ monitor: row.ref('monitor') }))
    .where('monitor', 'in', monitors)
    .execute();
}
