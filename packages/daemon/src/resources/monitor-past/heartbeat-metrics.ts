import type { Store } from '../../store/store.ts';
import { findRow } from '../find-row.ts';
import type { AnswerOf, Handler, Pages } from '../handler.ts';
import { inPages } from './in-pages.ts';
import { type DayRange, dayRange, timeOf } from './range.ts';
import { maxPageRows, readPages } from './read-pages.ts';

/** Lists the pings that had metrics or ended a run of the job, in order of time. */
export const getHeartbeatMetrics: Handler<'getHeartbeatMetrics'> = async (request, { store, deps }) => {
  const { seq } = await findRow(store.db, 'monitor', request.project, request.params.monitorId);
  const range = dayRange(request.query, 7, deps.clock.now());
  return inPages(request, range, { read: (from) => metricsOf(store, seq, from), timeOf });
};

async function* metricsOf(
  store: Store,
  monitor: number,
  range: DayRange,
): Pages<AnswerOf<'getHeartbeatMetrics'>[number]> {
  for await (const rows of pings(store, monitor, range)) {
    yield rows.map((row) => ({
      timestamp: new Date(row.at).toISOString(),
      metrics: JSON.parse(row.metrics ?? '{}') as Record<string, number | string>,
      duration: row.duration_ms,
      status: row.kind === 'failure' ? ('failure' as const) : ('success' as const),
      exitCode: row.exit_code,
    }));
  }
}

const pings = (store: Store, monitor: number, { from, until }: DayRange) =>
  readPages((last: { at: number; id: number } = { at: from, id: 0 }) =>
    store.db
      .selectFrom('ping')
      .select(['id', 'at', 'kind', 'exit_code', 'duration_ms', 'metrics'])
      .where('monitor', '=', monitor)
      .where('at', '>=', last.at)
      .where('at', '<', until)
      .where((row) => row.or([row('at', '>', last.at), row('id', '>', last.id)]))
      .where('metrics', 'is not', null)
      .orderBy('at')
      .orderBy('id')
      .limit(maxPageRows)
      .execute(),
  );
