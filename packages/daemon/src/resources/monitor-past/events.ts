import { findMonitor } from '../find-monitor.ts';
import type { Handler } from '../handler.ts';
import { dayRange } from './range.ts';

/** Changes of status, oldest first. */
export const getMonitorEvents: Handler<'getMonitorEvents'> = async ({ params, query, project }, { store, deps }) => {
  const { seq } = await findMonitor(store.db, project, params.monitorId);
  const { from, until } = dayRange(query, 30, deps.clock.now());
  const rows = await store.db
    .selectFrom('status_change')
    .selectAll()
    .where('monitor', '=', seq)
    .where('at', '>=', from)
    .where('at', '<', until)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    timestamp: new Date(row.at).toISOString(),
    from: row.from_status,
    to: row.to_status,
    error: row.error_code && { code: row.error_code, message: row.error_message ?? '' },
  }));
};
