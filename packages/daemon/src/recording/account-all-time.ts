import { activeMonitorTypes } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import { timeInWindows, type Window } from '../core/maintenance.ts';
import { dayMs, hourMs, splitByPeriod, timeIn } from '../core/uptime.ts';
import type { Store } from '../store/store.ts';
import type { MonitorStateRow, ObservedTable, Tables } from '../store/tables.ts';
import { windowsOfMonitors } from '../stored-monitors/maintenance-windows.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';

/** Rows per statement: few enough not to block the event loop. */
const rowsAtOnce = 500;

/** A time that counts in no uptime, in epoch milliseconds. */
export interface UnwatchedTime {
  from: number;
  to: number;
  /**
   * The monitors that were not watched: heartbeats, all that are checked, or those that only this region checks.
   * Default: all.
   */
  only?: 'heartbeats' | 'checked' | { region: number };
}

/**
 * Accounts the time of every monitor until `from`. The time from there until `to` counts in no uptime. Each statement
 * serves a range of monitors, because there may be 10,000 of them. Until all are accounted, the daemon judges no
 * silence.
 */
export async function accountAllTime(store: Store, time: UnwatchedTime): Promise<void> {
  for await (const range of monitorRanges(store.db)) {
    // Each row is locked once it is read. If a power cut undoes this, the next start repeats it.
    await store.write((trx) => closeRange(store, trx, range, time), { durable: false });
  }
}

async function closeRange(
  store: Store,
  trx: Transaction<Tables>,
  { first, last }: MonitorRange,
  { from, to, only }: UnwatchedTime,
): Promise<void> {
  const unwatched = isUnwatched(only);
  const rows = await trx
    .selectFrom('monitor_state')
    .select(['monitor', 'status', 'blind_since', 'accounted_until'])
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where(unwatched)
    .orderBy('monitor')
    .modifyEnd(store.dialect.forUpdate)
    .execute();
  const since = Math.min(from, ...rows.map((row) => row.accounted_until));
  const windows = await windowsOfMonitors(trx, { first, last, from: since, until: from });
  for (const [table, size] of [
    ['observed_hour', hourMs],
    ['observed_day', dayMs],
  ] as const) {
    const entries = rows.flatMap((row) => entriesOf(row, from, size, windows.get(row.monitor) ?? []));
    for (let at = 0; at < entries.length; at += rowsAtOnce)
      await enter(store, trx, table, entries.slice(at, at + rowsAtOnce));
  }
  await trx
    .updateTable('monitor_state')
    .set({ accounted_until: to })
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where('accounted_until', '<', to)
    .where(unwatched)
    .execute();
}

function isUnwatched(only: UnwatchedTime['only']) {
  if (only === undefined) return sql<boolean>`${sql.lit(1)} = 1`;
  if (typeof only === 'object') return checkedOnlyIn(only.region);
  const type = only === 'heartbeats' ? sql`not in` : sql`in`;
  return sql<boolean>`exists (select 1 from monitor where monitor.seq = monitor_state.monitor
    and monitor.type ${type} (${sql.join(activeMonitorTypes.map((active) => sql.lit(active)))}))`;
}

const checkedOnlyIn = (region: number) =>
  sql<boolean>`exists (select 1 from schedule where schedule.monitor = monitor_state.monitor)
    and not exists (select 1 from schedule where schedule.monitor = monitor_state.monitor and region != ${region})`;

/** The additions to the hours or days of a monitor; the same as in `account`. */
function entriesOf(
  row: Pick<MonitorStateRow, 'monitor' | 'status' | 'blind_since' | 'accounted_until'>,
  until: number,
  size: number,
  windows: readonly Window[],
): ObservedTable[] {
  const { monitor, status, accounted_until: from } = row;
  const end = Math.min(until, row.blind_since ?? until);
  if ((status !== 'up' && status !== 'down') || from >= end) return [];
  return splitByPeriod(from, end, size).map(([period, ms]) => {
    const start = Math.max(from, period * size);
    const time = timeIn(status, ms, timeInWindows(start, start + ms, windows));
    return { monitor, period, up_ms: time.up, down_ms: time.down, maintenance_ms: time.maintenance };
  });
}

const columns = { monitor: 'long', period: 'long', up_ms: 'long', down_ms: 'long', maintenance_ms: 'long' } as const;

async function enter(
  store: Store,
  trx: Transaction<Tables>,
  table: 'observed_hour' | 'observed_day',
  entries: readonly ObservedTable[],
): Promise<void> {
  const added = (column: 'up_ms' | 'down_ms' | 'maintenance_ms') =>
    sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  await trx
    .insertInto(table)
    .columns(['monitor', 'period', 'up_ms', 'down_ms', 'maintenance_ms'])
    .expression(
      trx
        .selectFrom(store.dialect.rows('given', columns, entries))
        .selectAll()
        // Otherwise SQLite would read `on conflict` as the condition of a join.
        .where(sql.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(['monitor', 'period']).doUpdateSet({
        up_ms: added('up_ms'),
        down_ms: added('down_ms'),
        maintenance_ms: added('maintenance_ms'),
      }),
    )
    .execute();
}
