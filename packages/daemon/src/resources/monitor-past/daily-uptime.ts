import { dayMs, nothingObserved, uptimePercent } from '../../core/uptime.ts';
import { maintenanceWindows } from '../../stored-monitors/maintenance-windows.ts';
import { findRow } from '../find-row.ts';
import type { AnswerOf, Handler } from '../handler.ts';
import { observedByDay } from './observed.ts';
import { inPages } from './in-pages.ts';
import { type DayRange, dayRange, isoDay } from './range.ts';

/** Returns the uptime of each UTC day of the range; null for a day on which the monitor was not observed. */
export const getDailyUptime: Handler<'getDailyUptime'> = async (request, { store, deps }) => {
  const monitor = await findRow(store.db, 'monitor', request.project, request.params.monitorId);
  const now = deps.clock.now();
  const range = dayRange(request.query, 90, now);
  const imported = await store.db
    .selectFrom('imported_history')
    .select('from_at')
    .where('monitor', '=', monitor.seq)
    .executeTakeFirst();
  const since = imported?.from_at ?? monitor.created_at;
  // The first possible day is the day of the monitor's creation, or the first day of its imported history. The last
  // possible day is today.
  const first = Math.max(range.from, Math.floor(since / dayMs) * dayMs);
  const until = Math.min(range.until, now);
  const state = await store.db
    .selectFrom('monitor_state')
    .select(['status', 'rolled_up_until', 'unobserved_since'])
    .where('monitor', '=', monitor.seq)
    .executeTakeFirstOrThrow();
  const sinceRollup = {
    monitor: monitor.seq,
    status: state.status,
    rolledUpUntil: state.rolled_up_until,
    unobservedSince: state.unobserved_since,
    windows: await maintenanceWindows(store.db, {
      monitor: monitor.seq,
      from: state.rolled_up_until,
      until: now,
    }),
  };
  const days = await observedByDay(store, sinceRollup, first, until);

  const answer: AnswerOf<'getDailyUptime'> = [];
  for (let start = first; start < until; start += dayMs) {
    const day = start / dayMs;
    const time = days.get(day) ?? nothingObserved;
    answer.push({
      date: isoDay(day),
      uptime: uptimePercent(time),
      maintenanceSeconds: Math.round(time.maintenance / 1000),
    });
  }
  // The list has only one item for each day. So all items are computed, and `inPages` then takes the requested page
  // from them.
  const read = async function* ({ from }: DayRange) {
    yield answer.filter((day) => Date.parse(day.date) >= from);
  };
  return inPages(request, range, { read, timeOf: (day) => Date.parse(day.date) });
};
