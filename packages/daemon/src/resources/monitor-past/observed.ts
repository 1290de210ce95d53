import { type RawBuilder, sql } from 'kysely';
import { type TimeSinceRollup, timeSinceRollup } from '../../core/time-since-rollup.ts';
import { add, dayMs, hourMs, nothingObserved, type Observed, splitByPeriod } from '../../core/uptime.ts';
import { prepare } from '../../store/prepared.ts';
import type { Store } from '../../store/store.ts';

/** Reads how long a monitor was up and down in the last 1, 7 and 30 days. Time in maintenance does not count. */
export type ReadObserved = (sinceRollup: TimeSinceRollup, now: number) => Promise<Record<Span, Observed>>;

const spans = [1, 7, 30] as const;
type Span = (typeof spans)[number];

/**
 * Creates a `ReadObserved`. It reads whole days from the daily rollup. A span begins in the middle of a day, so the
 * rest of that day is read from the hourly rollup. The span also begins in the middle of an hour. This hour counts in
 * proportion to its part in the span. The database adds up the rows, because that is faster than returning them.
 */
export function createObservedReader(store: Store): ReadObserved {
  const sums = prepare(store, (db, p: { monitor: number; hour: number; share: number; day: number; end: number }) => {
    const before = (instant: number, less: number) => sql<number>`cast(${instant} as integer) - ${sql.lit(less)}`;
    const sumOf = (column: 'up_ms' | 'down_ms', weight?: RawBuilder<unknown>) =>
      sql<number>`coalesce(sum(${sql.ref(column)}${weight ? sql` * ${weight}` : sql``}), 0)`;
    const wholeDays = (span: Span) =>
      db
        .selectFrom('observed_day')
        .select([sql<Span>`${sql.lit(span)}`.as('span'), sumOf('up_ms').as('up'), sumOf('down_ms').as('down')])
        .where('monitor', '=', p.monitor)
        .where('period', '>', before(p.day, span));
    const cutDay = (span: Span) => {
      const hour = before(p.hour, span * 24);
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
        .where('period', '<', before(p.end, span * 24));
    };
    const parts = spans.flatMap((span) => [wholeDays(span), cutDay(span)]);
    return parts.slice(1).reduce((all, part) => all.unionAll(part), parts[0]!);
  });

  return async (sinceRollup, now) => {
    const { monitor } = sinceRollup;
    const day = Math.floor(now / dayMs);
    const share = 1 - (now % hourMs) / hourMs;
    const rows = await sums(store.db, { monitor, hour: Math.floor(now / hourMs), share, day, end: (day + 1) * 24 });
    const observed = (span: Span): Observed => {
      const time = { ...timeSinceRollup(sinceRollup, now - span * dayMs, now), maintenance: 0 };
      for (const row of rows) {
        if (row.span !== span) continue;
        time.up += row.up;
        time.down += row.down;
      }
      return time;
    };
    return { 1: observed(1), 7: observed(7), 30: observed(30) };
  };
}

/**
 * Resolves with the time that a monitor was up, down and in maintenance on each UTC day of a span. The keys are the
 * numbers of the days. A day before the last rollup is left out if the rollup has no row for it.
 */
export async function observedByDay(
  store: Store,
  sinceRollup: TimeSinceRollup,
  from: number,
  until: number,
): Promise<Map<number, Observed>> {
  const rows = await store.db
    .selectFrom('observed_day')
    .select(['period', 'up_ms', 'down_ms', 'maintenance_ms'])
    .where('monitor', '=', sinceRollup.monitor)
    .where('period', '>=', Math.floor(from / dayMs))
    .where('period', '<', Math.ceil(until / dayMs))
    .execute();
  const days = new Map(rows.map((row) => [row.period, timeOf(row)]));
  for (const [day] of splitByPeriod(Math.max(from, sinceRollup.rolledUpUntil), until, dayMs)) {
    const open = timeSinceRollup(sinceRollup, day * dayMs, Math.min(until, (day + 1) * dayMs));
    days.set(day, add(days.get(day) ?? nothingObserved, open));
  }
  return days;
}

const timeOf = (row: { up_ms: number; down_ms: number; maintenance_ms: number }): Observed => ({
  up: row.up_ms,
  down: row.down_ms,
  maintenance: row.maintenance_ms,
});
