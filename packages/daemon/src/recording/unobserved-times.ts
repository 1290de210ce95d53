import { sql, type Transaction } from 'kysely';
import { addUnobserved, type TimeSpan } from '../core/unobserved-times.ts';
import type { Store } from '../store/store.ts';
import type { MonitorStateRow, Tables } from '../store/tables.ts';

type Row = Pick<MonitorStateRow, 'monitor' | 'status' | 'blind_since' | 'rolled_up_until' | 'unobserved'>;

/** Whether a probe checks the monitor of a row of `monitor_state`. Only probes report late. */
export const isProbed = sql<boolean>`exists (select 1 from schedule
  join probe_token on probe_token.region = schedule.region where schedule.monitor = monitor_state.monitor)`;

/**
 * Notes that nothing recorded this time of these monitors, so that late results of probes can still cover it. If a
 * monitor was not observed before, its time from `blind_since` on is noted as well. The caller has locked the rows.
 */
export async function noteUnobservedTimes(
  store: Store,
  trx: Transaction<Tables>,
  rows: readonly Row[],
  { from, until }: TimeSpan,
): Promise<void> {
  const observed = rows.filter(({ status }) => status === 'up' || status === 'down');
  if (observed.length === 0) return;
  const noted = observed.map((row) => {
    const since = Math.max(row.rolled_up_until, Math.min(from, row.blind_since ?? from));
    const times = addUnobserved(JSON.parse(row.unobserved) as TimeSpan[], { from: since, until });
    return { monitor: row.monitor, unobserved: JSON.stringify(times) };
  });
  const given = store.dialect.rows('given', { monitor: 'long', unobserved: 'text' }, noted);
  await trx
    .updateTable('monitor_state')
    .from(given)
    .set((set) => ({ unobserved: set.ref('given.unobserved') }))
    .whereRef('monitor_state.monitor', '=', 'given.monitor')
    .execute();
}
