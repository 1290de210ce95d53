import { type RawBuilder, sql } from 'kysely';
import { type OpenBooks, openTime } from '../../core/open-books.ts';
import { add, dayMs, hourMs, nothingObserved, type Observed, splitByPeriod } from '../../core/uptime.ts';
import { prepare } from '../../store/prepared.ts';
import type { Store } from '../../store/store.ts';

/** Reads the time observed in the last 1, 7 and 30 days, without maintenance. */
export type ReadObserved = (books: OpenBooks, now: number) => Promise<Record<Span, Observed>>;

const spans = [1, 7, 30] as const;
type Span = (typeof spans)[number];

/**
 * Whole days come from the days' rollup; the day that a span's start cuts comes from its hours, and of the hour that it
 * cuts its share is taken. Summed by the database, for a row that is handed over costs more than one that is added up.
 */
export function createObservedReader(store: Store): ReadObserved {
  const sumOf = (column: 'up_ms' | 'down_ms', weight: RawBuilder<unknown>) =>
    sql<number>`coalesce(sum(${sql.ref(column)} * ${weight}), 0)`;
  const wholeDays = prepare(store, (db, p: { monitor: number; day: number }) => {
    // All three start at the same time of day: their cut days lie 6 and 29 days apart.
    const within = (span: Span) =>
      sql`case when period > cast(${p.day} as integer) - ${sql.lit(span)} then 1 else 0 end`;
    return db
      .selectFrom('observed_day')
      .select(
        spans.flatMap((span) => [
          sumOf('up_ms', within(span)).as(`up${span}`),
          sumOf('down_ms', within(span)).as(`down${span}`),
        ]),
      )
      .where('monitor', '=', p.monitor)
      .where('period', '>', sql<number>`cast(${p.day} as integer) - 30`);
  });
  const cutDays = prepare(store, (db, p: { monitor: number; hour: number; share: number; end: number }) => {
    const cutDay = (span: Span) => {
      const hour = sql<number>`cast(${p.hour} as integer) - ${sql.lit(span * 24)}`;
      const weight = sql`case when period = ${hour} then cast(${p.share} as double precision) else 1.0 end`;
      return db
        .selectFrom('observed_hour')
        .select([
          sql<Span>`${sql.lit(span)}`.as('span'),
          sumOf('up_ms', weight).as('up'),
          sumOf('down_ms', weight).as('down'),
        ])
        .where('monitor', '=', p.monitor)
        .where('period', '>=', hour)
        .where('period', '<', sql<number>`cast(${p.end} as integer) - ${sql.lit(span * 24)}`);
    };
    return cutDay(1).unionAll(cutDay(7)).unionAll(cutDay(30));
  });

  return async (books, now) => {
    const { monitor } = books;
    const day = Math.floor(now / dayMs);
    const [days] = await wholeDays(store.db, { monitor, day });
    const share = 1 - (now % hourMs) / hourMs;
    const hours = await cutDays(store.db, { monitor, hour: Math.floor(now / hourMs), share, end: (day + 1) * 24 });
    const observed = (span: Span): Observed => {
      const cut = hours.find((row) => row.span === span);
      const open = openTime(books, now - span * dayMs, now);
      return {
        up: (days?.[`up${span}`] ?? 0) + (cut?.up ?? 0) + open.up,
        down: (days?.[`down${span}`] ?? 0) + (cut?.down ?? 0) + open.down,
        maintenance: 0,
      };
    };
    return { 1: observed(1), 7: observed(7), 30: observed(30) };
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
