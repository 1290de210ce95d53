import { findMonitor } from '../find-monitor.ts';
import type { Handler } from '../handler.ts';
import { dayRange } from './range.ts';

/** Pings that carried metrics, in order of time. */
export const getHeartbeatMetrics: Handler<'getHeartbeatMetrics'> = async (
  { params, query, project },
  { store, deps },
) => {
  const { seq } = await findMonitor(store.db, project, params.monitorId);
  const { from, until } = dayRange(query, 7, deps.clock.now());
  const rows = await store.db
    .selectFrom('ping')
    .select(['at', 'kind', 'exit_code', 'duration_ms', 'metrics'])
    .where('monitor', '=', seq)
    .where('at', '>=', from)
    .where('at', '<', until)
    .where('metrics', 'is not', null)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    timestamp: new Date(row.at).toISOString(),
    metrics: JSON.parse(row.metrics ?? '{}') as Record<string, number | string>,
    duration: row.duration_ms,
    status: row.kind === 'failure' ? ('failure' as const) : ('success' as const),
    exitCode: row.exit_code,
  }));
};
