import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * When the maintenance windows end that are in force for a monitor at an instant (epoch milliseconds); null where none
 * is. A window is in force from its start until just before its end, unless it was resolved earlier.
 */
export async function maintenanceEnd(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  monitor: number,
  at: number,
): Promise<number | null> {
  const found = await db
    .selectFrom('incident_monitor')
    .innerJoin('incident', 'incident.seq', 'incident_monitor.incident')
    .select((of) => of.fn.max('incident.scheduled_end').as('end'))
    .where('incident_monitor.monitor', '=', monitor)
    .where('incident.maintenance', '=', 1)
    .where('incident.scheduled_start', '<=', at)
    .where('incident.scheduled_end', '>', at)
    .where((window) => window.or([window('incident.resolved_at', 'is', null), window('incident.resolved_at', '>', at)]))
    .executeTakeFirst();
  return found?.end ?? null;
}
