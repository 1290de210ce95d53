import { sql, type Transaction } from 'kysely';
import { timeInWindows, type Window } from '../core/maintenance.ts';
import { dayMs, hourMs, splitByPeriod, timeIn } from '../core/uptime.ts';
import type { Store } from '../store/store.ts';
import type { MonitorStateRow, ObservedTable, Tables } from '../store/tables.ts';
import { windowsOfMonitors } from '../stored-monitors/maintenance-windows.ts';

/** Maximum number of rows that one statement writes, so that the event loop is not blocked for long. */
const maxRowsAtOnce = 500;

/** The part of a monitor's state that says which time is not rolled up yet. */
export type TimedState = Pick<MonitorStateRow, 'monitor' | 'status' | 'unobserved_since' | 'rolled_up_until'>;

/**
 * Adds time to the hourly and daily counts of many monitors: for each monitor, the time from `rolled_up_until` to
 * `until`. The caller has locked `rows` and sorted them by monitor. Afterwards the caller stores the new
 * `rolled_up_until`.
 */
export async function addTimes(
  store: Store,
  trx: Transaction<Tables>,
  rows: readonly TimedState[],
  until: number,
): Promise<void> {
  if (rows.length === 0) return;
  const from = Math.min(until, ...rows.map((row) => row.rolled_up_until));
  const [first, last] = [rows[0]!.monitor, rows.at(-1)!.monitor];
  const windows = await windowsOfMonitors(trx, { first, last, from, until });
  for (const [table, sizeMs] of [
    ['observed_hour', hourMs],
    ['observed_day', dayMs],
  ] as const) {
    const entries = rows.flatMap((row) => entriesOf(row, until, sizeMs, windows.get(row.monitor) ?? []));
    for (let at = 0; at < entries.length; at += maxRowsAtOnce)
      await enter(store, trx, table, entries.slice(at, at + maxRowsAtOnce));
  }
}

/**
 * Returns what to add to the hourly or daily counts of one monitor. `rollUpTime` (roll-up-time.ts) must add the same.
 */
function entriesOf(row: TimedState, until: number, sizeMs: number, windows: readonly Window[]): ObservedTable[] {
  const { monitor, status, rolled_up_until: from } = row;
  const end = Math.min(until, row.unobserved_since ?? until);
  if ((status !== 'up' && status !== 'down') || from >= end) return [];
  return splitByPeriod(from, end, sizeMs).map(([period, ms]) => {
    const start = Math.max(from, period * sizeMs);
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
        // Without a `where`, SQLite would read `on conflict` as the condition of a join.
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
