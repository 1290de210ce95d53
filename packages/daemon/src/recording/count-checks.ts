import { sql } from 'kysely';
import { type Executor, prepareForRows } from '../store/prepared.ts';
import { countsOf } from '../store/result-counts.ts';
import type { Store } from '../store/store.ts';
import type { CheckHourTable, ResponseHistogramTable, ResultTable } from '../store/tables.ts';

/** Counts results: adds them to the tables `check_hour` and `response_histogram`. */
export type CountChecks = (trip: Executor, results: readonly ResultTable[]) => Promise<void>;

/** Creates the function that counts results. Each call sends two statements, however many results there are. */
export function createCheckCounting(store: Store): CountChecks {
  const addCounts = createCountAddition(store);
  return async (trip, results) => {
    if (results.length > 0) await addCounts(trip, countsOf(results));
  };
}

/** Adds prepared counts to the tables `check_hour` and `response_histogram`. */
export type AddCounts = (trip: Executor, counts: ReturnType<typeof countsOf>) => Promise<void>;

/** Creates the function that adds counts. Each call sends one statement for each of the two tables. */
export function createCountAddition(store: Store): AddCounts {
  const addHours = prepareForRows<CheckHourTable, unknown>(
    store,
    { monitor: 'long', hour: 'long', region: 'integer', checks: 'long', failed: 'long', tenths_sum: 'long' },
    (db, given) =>
      db
        .insertInto('check_hour')
        .columns(['monitor', 'hour', 'region', 'checks', 'failed', 'tenths_sum'])
        // Without a `where`, SQLite would read `on conflict` as the condition of a join.
        .expression(db.selectFrom(given).selectAll().where(sql.lit(true)))
        .onConflict((conflict) =>
          conflict.columns(['monitor', 'hour', 'region']).doUpdateSet((set) => ({
            checks: set('check_hour.checks', '+', set.ref('excluded.checks')),
            failed: set('check_hour.failed', '+', set.ref('excluded.failed')),
            tenths_sum: set('check_hour.tenths_sum', '+', set.ref('excluded.tenths_sum')),
          })),
        ),
  );
  const addBuckets = prepareForRows<ResponseHistogramTable, unknown>(
    store,
    { monitor: 'long', hour: 'long', bucket: 'integer', count: 'long', tenths_sum: 'long' },
    (db, given) =>
      db
        .insertInto('response_histogram')
        .columns(['monitor', 'hour', 'bucket', 'count', 'tenths_sum'])
        .expression(db.selectFrom(given).selectAll().where(sql.lit(true)))
        .onConflict((conflict) =>
          conflict.columns(['monitor', 'hour', 'bucket']).doUpdateSet((set) => ({
            count: set('response_histogram.count', '+', set.ref('excluded.count')),
            tenths_sum: set('response_histogram.tenths_sum', '+', set.ref('excluded.tenths_sum')),
          })),
        ),
  );
  return async (trip, { hours, buckets }) => {
    await Promise.all([hours.length > 0 && addHours(trip, hours), buckets.length > 0 && addBuckets(trip, buckets)]);
  };
}
