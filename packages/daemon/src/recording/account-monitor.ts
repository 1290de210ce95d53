import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { loadState } from '../stored-monitors/load-state.ts';
import { accountTime } from './account-time.ts';

/**
 * Accounts a monitor's time until `until`, and stores how far it got. Leaves out time in which nothing checked, because
 * late results may tell about it. Does nothing if the monitor was deleted.
 */
export async function accountMonitor(trx: Transaction<Tables>, monitor: number, until: number): Promise<void> {
  const state = await loadState(trx, monitor);
  if (!state) return;
  const accounted = await accountTime(trx, monitor, state, Math.min(until, state.blindSince ?? until));
  await trx.updateTable('monitor_state').set({ accounted_until: accounted }).where('monitor', '=', monitor).execute();
}
