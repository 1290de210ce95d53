import { activeMonitorTypes } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';
import { addTimes } from './add-times.ts';
import { isProbed, noteUnobservedTimes } from './unobserved-times.ts';

/** A time that counts in no uptime, in epoch milliseconds. */
export interface UnwatchedTime {
  from: number;
  to: number;
  /**
   * The monitors that were not watched: all heartbeats, the monitors that a probe checks, those that only daemons
   * check, or those that only this region checks. Default: all monitors.
   */
  only?: 'heartbeats' | 'probed' | 'unprobed' | { region: number };
}

/**
 * Rolls up each monitor that was not watched, until `from`. The time from `from` to `to` counts in no uptime. Each
 * statement serves a range of monitors, because there may be 10,000 monitors. Until all are rolled up, the daemon
 * judges no silence of heartbeats.
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
  const unwatched = isUnwatched(only);
  const rows = await trx
    .selectFrom('monitor_state')
    .select(['monitor', 'status', 'blind_since', 'rolled_up_until', 'unobserved'])
    .select(isProbed.as('is_probed'))
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where(unwatched)
    .orderBy('monitor')
    .modifyEnd(store.dialect.forUpdate)
    .execute();
  await addTimes(store, trx, rows, from);
  const probed = rows.filter((row) => row.is_probed);
  await noteUnobservedTimes(store, trx, probed, { from, until: to });
  await trx
    .updateTable('monitor_state')
    .set({ rolled_up_until: to })
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where('rolled_up_until', '<', to)
    .where(unwatched)
    .execute();
}

function isUnwatched(only: UnwatchedTime['only']) {
  if (only === undefined) return sql<boolean>`${sql.lit(1)} = 1`;
  if (typeof only === 'object') return checkedOnlyIn(only.region);
  if (only === 'probed') return isProbed;
  const type = only === 'heartbeats' ? sql`not in` : sql`in`;
  const isOfType = sql<boolean>`exists (select 1 from monitor where monitor.seq = monitor_state.monitor
    and monitor.type ${type} (${sql.join(activeMonitorTypes.map((active) => sql.lit(active)))}))`;
  return only === 'heartbeats' ? isOfType : sql<boolean>`${isOfType} and not ${isProbed}`;
}

const checkedOnlyIn = (region: number) =>
  sql<boolean>`exists (select 1 from schedule where schedule.monitor = monitor_state.monitor)
    and not exists (select 1 from schedule where schedule.monitor = monitor_state.monitor and region != ${region})`;
