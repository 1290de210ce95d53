import type { Store } from '../../store/store.ts';
import { findRow } from '../find-row.ts';
import type { AnswerOf, Handler, Pages } from '../handler.ts';
import { inPages } from './in-pages.ts';
import { type DayRange, dayRange, timeOf } from './range.ts';

/** Lists the monitor's changes of status, the oldest first. */
export const getMonitorEvents: Handler<'getMonitorEvents'> = async (request, { store, deps }) => {
  const { seq } = await findRow(store.db, 'monitor', request.project, request.params.monitorId);
  const range = dayRange(request.query, 30, deps.clock.now());
  return inPages(request, range, { read: (from) => changes(store, seq, from), timeOf });
};

async function* changes(
  store: Store,
  monitor: number,
  { from, until }: DayRange,
): Pages<AnswerOf<'getMonitorEvents'>[number]> {
  const rows = await store.db
    .selectFrom('status_change')
    .selectAll()
    .where('monitor', '=', monitor)
    .where('at', '>=', from)
    .where('at', '<', until)
    .orderBy('at')
    .orderBy('id')
    .execute();
  yield rows.map((row) => ({
    timestamp: new Date(row.at).toISOString(),
    from: row.from_status,
    to: row.to_status,
    error: row.error_code && { code: row.error_code, message: row.error_message ?? '' },
  }));
}
