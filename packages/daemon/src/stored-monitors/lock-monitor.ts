import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * On PostgreSQL, serializes transactions that record results of this monitor or change what follows from them. The
 * later transaction waits, and runs again if it has already read. Otherwise PostgreSQL would not notice a conflict
 * about a row that is only read.
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
