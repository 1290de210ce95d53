import { sql, type Transaction } from 'kysely';
import { firstCheckAt } from '../core/schedule.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { MonitorRange } from '../stored-monitors/monitor-ranges.ts';

const columns = { monitor: 'long', nextAt: 'long' } as const;

interface MissedRow {
  monitor: number;
  intervalSeconds: number;
  /** Whether the region has no result of this version of the monitor yet. */
  pending: boolean;
}

/**
 * Reschedules the checks that a region missed until `to` (epoch milliseconds), on PostgreSQL. Each monitor continues at
 * the next of its regular times, so that the checks are spread over their intervals. A monitor whose first check is
 * pending is due at `to`.
 */
export async function spreadMissedChecks(
  store: Pick<Store, 'dialect'>,
  trx: Transaction<Tables>,
  { first, last, region, to }: MonitorRange & { region: number; to: number },
): Promise<void> {
  const { rows } = await sql<MissedRow>`
    select schedule.monitor, (monitor.config::json ->> 'interval')::integer as "intervalSeconds",
      (monitor_state.regions::json -> ${String(region)} ->> 'at') is null as pending
    from schedule join monitor on monitor.seq = schedule.monitor
      join monitor_state on monitor_state.monitor = schedule.monitor
    where schedule.region = ${region} and schedule.monitor between ${first} and ${last}
      and schedule.next_at < ${to}`.execute(trx);
  if (rows.length === 0) return;
  const changes = rows.map(({ monitor, intervalSeconds, pending }) => ({
    monitor,
    nextAt: firstCheckAt({ monitor, region, since: to, pending }, intervalSeconds * 1000, to),
  }));
  await trx
    .updateTable('schedule')
    .from(store.dialect.rows('given', columns, changes))
    .set((set) => ({ next_at: set.ref('given.nextAt') }))
    .whereRef('schedule.monitor', '=', 'given.monitor')
    .where('schedule.region', '=', region)
    // If another node has already rescheduled the monitor, its new time stays.
    .where('schedule.next_at', '<', to)
    .execute();
}
