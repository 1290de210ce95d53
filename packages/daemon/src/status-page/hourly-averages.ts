import { selectUnfolded } from '../store/recent-results.ts';
import { countsOf } from '../store/result-counts.ts';
import type { Store } from '../store/store.ts';
import type { CheckHourTable } from '../store/tables.ts';

/** The average response time of a monitor in an hour. */
export interface HourlyAverage {
  monitor: number;
  hour: number;
  averageMs: number;
  regions: { region: number; averageMs: number }[];
}

/** Reads the averages of these monitors from the hour `from` on. Leaves out hours without a passed check. */
export async function readHourlyAverages(
  db: Store['db'],
  monitors: readonly number[],
  from: number,
): Promise<HourlyAverage[]> {
  // The first query reads the results that are not yet in the hourly counts. In the other order, results that are added
  // to the counts between the two queries would be missing.
  const recent = await selectUnfolded(db, 'counts').where('recent.monitor', 'in', monitors).execute();
  const uncounted = countsOf(recent).hours.filter(({ hour }) => hour >= from);
  const counted = await db
    .selectFrom('check_hour')
    .select(['monitor', 'hour', 'region', 'tenths_sum', 'checks', 'failed'])
    .where('hour', '>=', from)
    .where('monitor', 'in', monitors)
    .execute();
  const hours = Map.groupBy([...counted, ...uncounted], ({ monitor, hour }) => `${monitor} ${hour}`);
  return [...hours.values()].flatMap((rows) => {
    const averageMs = averageOf(rows);
    if (averageMs === null) return [];
    const { monitor, hour } = rows[0]!;
    const regions = [...Map.groupBy(rows, ({ region }) => region)].flatMap(([region, own]) => {
      const ofRegion = averageOf(own);
      return ofRegion === null ? [] : [{ region, averageMs: ofRegion }];
    });
    return [{ monitor, hour, averageMs, regions }];
  });
}

/** Returns the average response time of the passed checks in milliseconds; null if no check passed. */
function averageOf(rows: readonly Pick<CheckHourTable, 'checks' | 'failed' | 'tenths_sum'>[]): number | null {
  const passed = rows.reduce((sum, { checks, failed }) => sum + checks - failed, 0);
  return passed > 0 ? rows.reduce((sum, row) => sum + row.tenths_sum, 0) / passed / 10 : null;
}
