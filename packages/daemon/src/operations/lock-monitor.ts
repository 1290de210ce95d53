import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * Meets, on PostgreSQL, whoever records at this moment what became of the monitor, or changes what follows from it: the
 * later of the two waits, and is run again where it has read already. A row that is only read would not be noticed.
 */
export const lockMonitor = (trx: Transaction<Tables>, monitor: number): Promise<void> => lockMonitors(trx, [monitor]);

/** The same for many at once. */
export async function lockMonitors(trx: Transaction<Tables>, monitors: readonly number[]): Promise<void> {
  if (monitors.length === 0) return;
  await trx
    .updateTable('monitor_state')
    .set((row) => ({ monitor: row.ref('monitor') }))
    .where('monitor', 'in', monitors)
    .execute();
}
