import type { Transaction } from 'kysely';
import type { MonitorState } from '../core/monitor-state.ts';
import { timeInWindows } from '../core/maintenance.ts';
import { dayMs, hourMs, splitByPeriod, timeIn } from '../core/uptime.ts';
import type { Tables } from '../store/tables.ts';
import { maintenanceWindows } from '../stored-monitors/maintenance-windows.ts';

/**
 * Adds the time since `rolledUpUntil` to the monitor's hourly and daily counts, as time in the present status. Leaves
 * out the time from `unobservedSince` on, in which the checker could not check. Resolves with the time until which the
 * monitor is now rolled up; the caller stores that time.
 */
export async function rollUpTime(
  trx: Transaction<Tables>,
  monitor: number,
  state: Pick<MonitorState, 'status' | 'unobservedSince'> & { rolledUpUntil: number },
  until: number,
): Promise<number> {
  const end = state.unobservedSince === null ? until : Math.min(until, state.unobservedSince);
  const from = state.rolledUpUntil;
  if ((state.status === 'up' || state.status === 'down') && from < end) {
    const windows = await maintenanceWindows(trx, { monitor, from, until: end });
    for (const [table, sizeMs] of [
      ['observed_hour', hourMs],
      ['observed_day', dayMs],
    ] as const) {
      for (const [period, ms] of splitByPeriod(from, end, sizeMs)) {
        const start = Math.max(from, period * sizeMs);
        const time = timeIn(state.status, ms, timeInWindows(start, start + ms, windows));
        await trx
          .insertInto(table)
          .values({ monitor, period, up_ms: time.up, down_ms: time.down, maintenance_ms: time.maintenance })
          .onConflict((conflict) =>
            conflict.columns(['monitor', 'period']).doUpdateSet((set) => ({
              up_ms: set(`${table}.up_ms`, '+', time.up),
              down_ms: set(`${table}.down_ms`, '+', time.down),
              maintenance_ms: set(`${table}.maintenance_ms`, '+', time.maintenance),
            })),
          )
          .execute();
      }
    }
  }
  return Math.max(until, state.rolledUpUntil);
}
