import type { Transaction } from 'kysely';
import { storedState, type StoredState } from '../store/monitor-state-row.ts';
import type { Tables } from '../store/tables.ts';

/** Returns the state of a monitor; null if the monitor was deleted. */
export async function loadState(
  trx: Pick<Transaction<Tables>, 'selectFrom'>,
  monitor: number,
): Promise<StoredState | null> {
  const row = await trx.selectFrom('monitor_state').selectAll().where('monitor', '=', monitor).executeTakeFirst();
  return row ? storedState(row) : null;
}
