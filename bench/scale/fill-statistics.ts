import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../packages/daemon/src/store/tables.ts';

const [dayMs, hourMs] = [86_400_000, 3_600_000];
const [days, hours, histogramHours] = [31, 31 * 24, 25];
/** How many buckets of response times a monitor fills in an hour. */
const buckets = 6;

/** Stores the counts from which the statistics of the first monitors are read. They are complete up to `now`. */
export async function fillStatistics(db: Kysely<Tables>, { monitors, now }: { monitors: number; now: number }) {
  const series = (name: string, count: number) => sql`generate_series(0, ${sql.lit(count - 1)}) as ${sql.ref(name)}`;
  const [day, hour] = [sql.lit(Math.floor(now / dayMs)), sql.lit(Math.floor(now / hourMs))];
  const monitor = series('m', monitors);
  await sql`insert into observed_day (monitor, period, up_ms, down_ms)
    select m + 1, ${day} - d, 86160000, 240000 from ${series('d', days)}, ${monitor}`.execute(db);
  await sql`insert into observed_hour (monitor, period, up_ms, down_ms)
    select m + 1, ${hour} - h, 3590000, 10000 from ${series('h', hours)}, ${monitor}`.execute(db);
  await sql`insert into response_histogram (monitor, hour, bucket, count, tenths_sum)
    select m + 1, ${hour} - h, 45 + b, 10, 1000
    from ${series('h', histogramHours)}, ${monitor}, ${series('b', buckets)}`.execute(db);
}
