import { sql } from 'kysely';
import type { MonitorStatus } from '@uptime/sdk/contract';
import { add, dayMs, hourMs, nothingObserved, type Observed, scale, splitByPeriod, timeIn } from '../../core/uptime.ts';
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

/** Time observed from `from` to `now`; of the hour that `from` cuts, its share. */
export async function observedSince(store: Store, books: OpenBooks, from: number, now: number): Promise<Observed> {
  const cut = Math.floor(from / hourMs);
  const row = await store.db
    .selectFrom('observed_hour')
    .select([
      sql<number>`coalesce(sum(case when period > ${cut} then up_ms else 0 end), 0)`.as('up'),
      sql<number>`coalesce(sum(case when period > ${cut} then down_ms else 0 end), 0)`.as('down'),
      sql<number>`coalesce(sum(case when period > ${cut} then maintenance_ms else 0 end), 0)`.as('maintenance'),
      sql<number>`coalesce(sum(case when period = ${cut} then up_ms else 0 end), 0)`.as('cut_up'),
      sql<number>`coalesce(sum(case when period = ${cut} then down_ms else 0 end), 0)`.as('cut_down'),
    ])
    .where('monitor', '=', books.monitor)
    .where('period', '>=', cut)
    .executeTakeFirstOrThrow();
  const share = 1 - (from % hourMs) / hourMs;
  const cutHour = scale({ up: row.cut_up, down: row.cut_down, maintenance: 0 }, share);
  return [row, cutHour, openTime(books, from, now)].reduce(add, nothingObserved);
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
  const days = new Map(
    rows.map((row) => [row.period, { up: row.up_ms, down: row.down_ms, maintenance: row.maintenance_ms }]),
  );
  for (const [day] of splitByPeriod(Math.max(from, books.accountedUntil), until, dayMs)) {
    const open = openTime(books, day * dayMs, Math.min(until, (day + 1) * dayMs));
    days.set(day, add(days.get(day) ?? nothingObserved, open));
  }
  return days;
}
