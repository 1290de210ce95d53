import { sql, type Transaction } from 'kysely';
import { addUnobserved, type TimeSpan, unobservedBefore, type UnobservedTime } from '../core/unobserved-times.ts';
import type { Store } from '../store/store.ts';
import type { MonitorStateRow, Tables } from '../store/tables.ts';
import type { MonitorRange } from '../stored-monitors/monitor-ranges.ts';

type Row = Pick<MonitorStateRow, 'monitor' | 'status' | 'unobserved_since' | 'rolled_up_until' | 'unobserved'>;

/** For a row of `monitor_state`: whether a probe may check its monitor. Only probes report late. */
export const isProbed = sql<boolean>`exists (select 1 from schedule
  join probe_token on probe_token.region = schedule.region where schedule.monitor = monitor_state.monitor)`;

/** For a row of `monitor_state`: whether a probe that checks its monitor has reported since this time. */
export const isProbedSince = (since: number) => sql<boolean>`exists (select 1 from schedule
  join probe on probe.region = schedule.region
  where schedule.monitor = monitor_state.monitor and probe.seen_at >= ${since})`;

/**
 * Returns the unobserved times of a monitor as JSON, and adds the time from `from` to `until`, in which no node
 * recorded results. Late results of probes can still cover that time. If the monitor was unobserved even before
 * `from`, the time from `unobserved_since` on is added as well.
 */
export function unobservedAfter(row: Row, { from, until }: TimeSpan): string {
  if (row.status !== 'up' && row.status !== 'down') return row.unobserved;
  const since = Math.max(row.rolled_up_until, Math.min(from, row.unobserved_since ?? from));
  return JSON.stringify(addUnobserved(timesOf(row), { from: since, until }));
}

/**
 * Adapts the unobserved times of monitors to a step of the clock, before `rolled_up_until` moves. For a step forward,
 * adds the time that the step skips. For a step back, drops the unobserved times that are then in the future.
 */
export async function stepUnobservedTimes(
  store: Store,
  trx: Transaction<Tables>,
  { first, last }: MonitorRange,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const isForward = to > from;
  const rows = await trx
    .selectFrom('monitor_state')
    .select(['monitor', 'status', 'unobserved_since', 'rolled_up_until', 'unobserved'])
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where(isForward ? isProbed : sql<boolean>`unobserved != '[]'`)
    .orderBy('monitor')
    .modifyEnd(store.dialect.forUpdate)
    .execute();
  if (rows.length === 0) return;
  const stepped = rows.map((row) => {
    if (isForward) return { monitor: row.monitor, unobserved: unobservedAfter(row, { from, until: to }) };
    const left = unobservedBefore(timesOf(row), row.rolled_up_until + to - from);
    return { monitor: row.monitor, unobserved: JSON.stringify(left) };
  });
  await trx
    .updateTable('monitor_state')
    .from(store.dialect.rows('given', { monitor: 'long', unobserved: 'text' }, stepped))
    .set((set) => ({ unobserved: set.ref('given.unobserved') }))
    .whereRef('monitor_state.monitor', '=', 'given.monitor')
    .execute();
}

const timesOf = (row: Row) => JSON.parse(row.unobserved) as UnobservedTime[];
