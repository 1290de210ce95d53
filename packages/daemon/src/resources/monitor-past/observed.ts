import type { MonitorStatus } from '@uptime/sdk/contract';
import { add, dayMs, hourMs, nothingObserved, type Observed, scale, splitByPeriod, timeIn } from '../../core/uptime.ts';
import { prepare } from '../../store/prepared.ts';
import type { Store } from '../../store/store.ts';

/** What a monitor's open books hold: its status since the last entry. Times in epoch milliseconds. */
export interface OpenBooks {
  monitor: number;
  status: MonitorStatus;
  accountedUntil: number;
  blindSince: number | null;
}

/** Time since the last entry, which no rollup has yet, within a span. */
export function openTime(books: OpenBooks, from: number, until: number): Observed {
  const end = Math.min(until, books.blindSince ?? until);
  return timeIn(books.status, Math.max(0, end - Math.max(from, books.accountedUntil)));
}

/** Reads the time observed in each of some spans that all end now. */
export type ReadObserved = (books: OpenBooks, starts: readonly number[], now: number) => Promise<Observed[]>;

/**
 * Whole days come from the days' rollup; the day that a span's start cuts comes from its hours, and of the hour that
 * it cuts its share is taken.
 */
export function createObservedReader(store: Store): ReadObserved {
  const daysSince = prepare(store, (db, p: { monitor: number; day: number }) =>
    db
      .selectFrom('observed_day')
      .select(['period', 'up_ms', 'down_ms', 'maintenance_ms'])
      .where('monitor', '=', p.monitor)
      .where('period', '>', p.day),
  );
  const hoursOf = prepare(store, (db, p: { monitor: number; first: number; end: number }) =>
    db
      .selectFrom('observed_hour')
      .select(['period', 'up_ms', 'down_ms', 'maintenance_ms'])
      .where('monitor', '=', p.monitor)
      .where('period', '>=', p.first)
      .where('period', '<', p.end),
  );

  return async (books, starts, now) => {
    const { monitor } = books;
    const days = await daysSince(store.db, { monitor, day: Math.floor(Math.min(...starts) / dayMs) });
    const spans: Observed[] = [];
    for (const from of starts) {
      const cutDay = Math.floor(from / dayMs);
      const cutHour = Math.floor(from / hourMs);
      const hours = await hoursOf(store.db, { monitor, first: cutHour, end: (cutDay + 1) * 24 });
      const share = 1 - (from % hourMs) / hourMs;
      let time = openTime(books, from, now);
      for (const row of days) if (row.period > cutDay) time = add(time, timeOf(row));
      for (const row of hours) time = add(time, row.period === cutHour ? scale(timeOf(row), share) : timeOf(row));
      spans.push(time);
    }
    return spans;
  };
}

/** Time observed on each UTC day of a span that has any, by the day's number. */
export async function observedByDay(
  store: Store,
  books: OpenBooks,
  from: number,
  until: number,
): Promise<Map<number, Observed>> {
  const rows = await store.db
    .selectFrom('observed_day')
    .select(['period', 'up_ms', 'down_ms', 'maintenance_ms'])
    .where('monitor', '=', books.monitor)
    .where('period', '>=', Math.floor(from / dayMs))
    .where('period', '<', Math.ceil(until / dayMs))
    .execute();
  const days = new Map(rows.map((row) => [row.period, timeOf(row)]));
  for (const [day] of splitByPeriod(Math.max(from, books.accountedUntil), until, dayMs)) {
    const open = openTime(books, day * dayMs, Math.min(until, (day + 1) * dayMs));
    days.set(day, add(days.get(day) ?? nothingObserved, open));
  }
  return days;
}

const timeOf = (row: { up_ms: number; down_ms: number; maintenance_ms: number }): Observed => ({
  up: row.up_ms,
  down: row.down_ms,
  maintenance: row.maintenance_ms,
});
