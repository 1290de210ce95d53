import { sql } from 'kysely';
import { percentile } from '../../core/response-histogram.ts';
import { hourMs, uptimePercent } from '../../core/uptime.ts';
import { prepareWindows } from '../../stored-monitors/maintenance-windows.ts';
import { prepare } from '../../store/prepared.ts';
import { selectUnfolded } from '../../store/recent-results.ts';
import { countsOf } from '../../store/result-counts.ts';
import type { Store } from '../../store/store.ts';
import { findRow } from '../find-row.ts';
import type { Backend, Handler } from '../handler.ts';
import { isoTimeOrNull } from '../iso-time.ts';
import { createObservedReader } from './observed.ts';

/**
 * Returns the statistics of a monitor over the last 24 hours, 7 days and 30 days. They are read from rollups and from
 * the time since the last rollup.
 */
export const getStats: Handler<'getStats'> = async ({ params, project }, { store, deps, readStats }) => {
  const { seq } = await findRow(store.db, 'monitor', project, params.monitorId);
  return readStats(seq, deps.clock.now());
};

/**
 * The last 24 hours usually begin and end in the middle of a clock hour, so they touch 25 clock hours. This list
 * numbers the clock hours: 0 is the present hour, 1 is the hour before it, and so on.
 */
const hoursOfDay = Array.from({ length: 25 }, (_, ago) => ago);

/**
 * Creates the function that reads statistics. Call this only once for each store, because each call builds the SQL
 * statements again.
 */
export function createStatsReader(
  store: Store,
  lastCheckedAt: Backend['lastCheckedAt'] = (_, stored) => stored,
): Backend['readStats'] {
  const readObserved = createObservedReader(store);
  const windowsOf = prepareWindows(store);
  const stateOf = prepare(store, (db, p: { monitor: number }) =>
    db
      .selectFrom('monitor_state')
      .select(['status', 'rolled_up_until', 'unobserved_since', 'last_checked_at'])
      // Most monitors have no incidents. For these, this look-up saves the slower query for windows.
      .select((eb) =>
        eb
          .exists(
            eb.selectFrom('incident_monitor').select('incident').where('incident_monitor.monitor', '=', p.monitor),
          )
          .as('has_incidents'),
      )
      .where('monitor', '=', p.monitor),
  );
  const responseTimes = createResponseTimes(store);

  return async (monitor, now) => {
    const [state] = await stateOf(store.db, { monitor });
    if (!state) throw new Error(`monitor ${monitor} has no state`);
    const { status, rolled_up_until: rolledUpUntil, unobserved_since: unobservedSince } = state;
    const windows = state.has_incidents ? await windowsOf({ monitor, from: rolledUpUntil, until: now }) : [];
    const observed = await readObserved({ monitor, status, rolledUpUntil, unobservedSince, windows }, now);
    return {
      status,
      uptime24h: uptimePercent(observed[1]),
      uptime7d: uptimePercent(observed[7]),
      uptime30d: uptimePercent(observed[30]),
      ...(await responseTimes(monitor, now)),
      lastCheckedAt: isoTimeOrNull(lastCheckedAt(monitor, state.last_checked_at)),
    };
  };
}

/**
 * Creates a function that reads the average and the 95th percentile of the response times of the last day, in
 * milliseconds. Only passed checks are included.
 */
function createResponseTimes(store: Store) {
  const uncountedOf = prepare(store, (db, p: { monitor: number }) =>
    selectUnfolded(db, 'counts').where('recent.monitor', '=', p.monitor),
  );
  // The database adds up the histograms of all hours, because that is faster than returning their rows.
  const bucketsOf = prepare(store, (db, p: { monitor: number; hour: number }) => {
    const ofHour = (ago: number) =>
      db
        .selectFrom('response_histogram')
        .select(['bucket', 'count', 'tenths_sum'])
        .where('hour', '=', sql<number>`cast(${p.hour} as integer) - ${sql.lit(ago)}`)
        .where('monitor', '=', p.monitor);
    const ofDay = hoursOfDay.slice(1).reduce((all, ago) => all.unionAll(ofHour(ago)), ofHour(0));
    return db
      .selectFrom(ofDay.as('hours'))
      .select(({ fn }) => [
        'bucket',
        fn.sum<number>('count').as('count'),
        fn.sum<number>('tenths_sum').as('tenths_sum'),
      ])
      .groupBy('bucket');
  });

  return async (monitor: number, now: number) => {
    const hour = Math.floor(now / hourMs);
    const uncounted = countsOf(await uncountedOf(store.db, { monitor })).buckets;
    const buckets = [
      ...(await bucketsOf(store.db, { monitor, hour })),
      ...uncounted.filter((counted) => counted.hour > hour - hoursOfDay.length),
    ];
    let passed = 0;
    let tenths = 0;
    for (const bucket of buckets) {
      passed += bucket.count;
      tenths += bucket.tenths_sum;
    }
    const p95 = percentile(buckets, 0.95);
    return {
      avgResponseTime: passed > 0 ? round(tenths / passed / 10) : null,
      p95ResponseTime: p95 === null ? null : round(p95 / 10),
    };
  };
}

const round = (ms: number) => Math.round(ms * 10) / 10;
