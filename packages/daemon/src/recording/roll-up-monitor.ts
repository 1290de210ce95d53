import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { loadState } from '../stored-monitors/load-state.ts';
import { rollUpTime } from './roll-up-time.ts';

/**
 * Rolls up a monitor's time up to `until`, and stores the new `rolled_up_until`. Stops where the time without checks
 * begins, because late results may still cover that time. Does nothing if the monitor was deleted.
 */
export async function rollUpMonitor(trx: Transaction<Tables>, monitor: number, until: number): Promise<void> {
  const state = await loadState(trx, monitor);
  if (!state) return;
  const rolledUpUntil = await rollUpTime(trx, monitor, state, Math.min(until, state.unobservedSince ?? until));
  await trx
    .updateTable('monitor_state')
    .set({ rolled_up_until: rolledUpUntil })
    .where('monitor', '=', monitor)
    .execute();
}
