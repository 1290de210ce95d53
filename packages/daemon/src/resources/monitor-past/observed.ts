import { sql } from 'kysely';
import type { MonitorStatus } from '@uptime/sdk/contract';
import { add, dayMs, hourMs, nothingObserved, type Observed, splitByPeriod, timeIn } from '../../core/uptime.ts';
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

/** Reads the time observed since an instant, without maintenance. */
export type ReadObserved = (books: OpenBooks, from: number, now: number) => Promise<Observed>;

/**
 * Whole days come from the days' rollup; the day that the start cuts comes from its hours, and of the hour that it
 * cuts its share is taken. Summed by the database: a row that is handed over costs more than one that is added up.
 */
export function createObservedReader(store: Store): ReadObserved {
  const daysAfter = prepare(store, (db, p: { monitor: number; day: number }) =>
    db
      .selectFrom('observed_day')
      .select([sql<number | null>`sum(up_ms)`.as('up'), sql<number | null>`sum(down_ms)`.as('down')])
      .where('monitor', '=', p.monitor)
      .where('period', '>', p.day),
  );
  const hoursFrom = prepare(store, (db, p: { monitor: number; hour: number; share: number; end: number }) => {
    const weight = sql`case when period = ${p.hour} then cast(${p.share} as real) else 1.0 end`;
    return db
      .selectFrom('observed_hour')
      .select([
        sql<number | null>`sum(up_ms * ${weight})`.as('up'),
        sql<number | null>`sum(down_ms * ${weight})`.as('down'),
      ])
      .where('monitor', '=', p.monitor)
      .where('period', '>=', p.hour)
      .where('period', '<', p.end);
  });

  return async (books, from, now) => {
    const { monitor } = books;
    const day = Math.floor(from / dayMs);
    const share = 1 - (from % hourMs) / hourMs;
    const [days] = await daysAfter(store.db, { monitor, day });
    const [hours] = await hoursFrom(store.db, { monitor, hour: Math.floor(from / hourMs), share, end: (day + 1) * 24 });
    const open = openTime(books, from, now);
    return {
      up: (days?.up ?? 0) + (hours?.up ?? 0) + open.up,
      down: (days?.down ?? 0) + (hours?.down ?? 0) + open.down,
      maintenance: 0,
    };
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
