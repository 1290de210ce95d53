import { activeMonitorTypes } from '@uptime/sdk/contract';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';
import { addTimes } from './add-times.ts';
import { isProbed, isProbedSince, unobservedAfter } from './unobserved-times.ts';

/**
 * Selects monitors:
 * - `heartbeats`: all heartbeats.
 * - `probed`: all monitors that a probe may check.
 * - `region`: the monitors that only this region checks.
 * - `probedSince`: the monitors of probes that have reported since this time.
 * - `notProbedSince`: all other monitors, except heartbeats.
 */
type Unwatched = 'heartbeats' | 'probed' | { region: number } | { probedSince: number } | { notProbedSince: number };

/** A time that counts in no uptime, in epoch milliseconds. */
export interface UnwatchedTime {
  from: number;
  to: number;
  /** The monitors that were not observed. Default: all monitors. */
  only?: Unwatched;
}

/**
 * For each monitor that was not observed, rolls up the time until `from`. The time from `from` to `to` counts in no
 * uptime. There may be 10,000 monitors, and the daemon does not decide whether heartbeats are silent until all monitors
 * are rolled up. So each statement serves a range of monitors.
 */
export async function rollUpAll(store: Store, time: UnwatchedTime): Promise<void> {
  for await (const range of monitorRanges(store.db)) {
    // Rows are locked when they are read. The commit need not wait for the disk: if a power cut undoes it, the next
    // start rolls up the same time again.
    await store.write((trx) => rollUpRange(store, trx, range, time), { durable: false });
  }
}

async function rollUpRange(
  store: Store,
  trx: Transaction<Tables>,
  { first, last }: MonitorRange,
  { from, to, only }: UnwatchedTime,
): Promise<void> {
  const rows = await trx
    .selectFrom('monitor_state')
    .select(['monitor', 'status', 'unobserved_since', 'rolled_up_until', 'unobserved'])
    .select(isProbed.as('is_probed'))
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where(isUnwatched(only))
    .orderBy('monitor')
    .modifyEnd(store.dialect.forUpdate)
    .execute();
  await addTimes(store, trx, rows, from);
  const behind = rows.filter((row) => row.rolled_up_until < to);
  if (behind.length === 0) return;
  const times = behind.map((row) => ({
    monitor: row.monitor,
    unobserved: row.is_probed ? unobservedAfter(row, { from, until: to }) : row.unobserved,
  }));
  await trx
    .updateTable('monitor_state')
    .from(store.dialect.rows('given', { monitor: 'long', unobserved: 'text' }, times))
    .set((set) => ({ rolled_up_until: to, unobserved: set.ref('given.unobserved') }))
    .whereRef('monitor_state.monitor', '=', 'given.monitor')
    .execute();
}

function isUnwatched(only: Unwatched | undefined) {
  if (only === undefined) return sql<boolean>`${sql.lit(1)} = 1`;
  if (only === 'probed') return isProbed;
  if (only === 'heartbeats') return isOfType(sql`not in`);
  if ('region' in only) return checkedOnlyIn(only.region);
  if ('probedSince' in only) return isProbedSince(only.probedSince);
  return sql<boolean>`${isOfType(sql`in`)} and not ${isProbedSince(only.notProbedSince)}`;
}

const isOfType = (operator: RawBuilder<unknown>) =>
  sql<boolean>`exists (select 1 from monitor where monitor.seq = monitor_state.monitor
    and monitor.type ${operator} (${sql.join(activeMonitorTypes.map((active) => sql.lit(active)))}))`;

const checkedOnlyIn = (region: number) =>
  sql<boolean>`exists (select 1 from schedule where schedule.monitor = monitor_state.monitor)
    and not exists (select 1 from schedule where schedule.monitor = monitor_state.monitor and region != ${region})`;
