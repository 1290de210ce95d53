import { sql, type Transaction } from 'kysely';
import type { CheckOutcome } from '../checks/check.ts';
import { type Executor, inOneTrip, prepareForRows } from '../store/prepared.ts';
import { resultCode } from '../store/result-code.ts';
import type { Store } from '../store/store.ts';
import type { RecentResultTable, ResultDetailTable, ResultTable, Tables } from '../store/tables.ts';
import { createCheckCounting } from './count-checks.ts';
import type { OpenSlots } from './open-slots.ts';

/** A check that reached a verdict. */
export interface StoredOutcome {
  monitor: number;
  region: number;
  at: number;
  outcome: CheckOutcome;
}

/** Stores results with their details and counts. */
export type WriteResults = (trx: Transaction<Tables>, outcomes: readonly StoredOutcome[]) => Promise<void>;

/**
 * Creates the function that stores results. Each call sends a few statements, however many results there are. On
 * SQLite, the results go to `recent_result`, and are counted later. In that table the rows of many monitors share a
 * page, so a commit writes fewer pages. If two results of a monitor and a region have the same millisecond, only one is
 * stored.
 */
export function createResultWriting(store: Store, slots: Pick<OpenSlots, 'take'>): WriteResults {
  const countChecks = createCheckCounting(store);
  const insertRecent = prepareForRows<RecentResultTable, unknown>(
    store,
    { slot: 'long', monitor: 'long', at: 'long', region: 'integer', code: 'integer', tenths: 'long' },
    (db, given) =>
      db
        .insertInto('recent_result')
        .columns(['slot', 'monitor', 'at', 'region', 'code', 'tenths'])
        .expression(db.selectFrom(given).selectAll().where(sql.lit(true)))
        .onConflict((conflict) => conflict.doNothing()),
  );
  const insertResults = createResultInsertion(store);
  const insertDetails = createDetailInsertion(store);
  return async (trx, outcomes) => {
    if (outcomes.length === 0) return;
    const results = outcomes.map(resultOf);
    const details = outcomes.map(detailOf).filter((detail) => detail !== null);
    const writeDetails = (trip: Executor) => (details.length > 0 ? insertDetails(trip, details) : undefined);
    if (store.dialect.exclusive) {
      const latest = Math.max(...results.map(({ at }) => at));
      const slot = await slots.take(trx, latest, results.length);
      await insertRecent(
        trx,
        results.map((result) => ({ slot, ...result })),
      );
      await writeDetails(trx);
    } else
      await inOneTrip(store, trx, (trip) =>
        Promise.all([insertResults(trip, results), countChecks(trip, results), writeDetails(trip)]),
      );
  };
}

/** Creates the function that inserts results into the table `result`. */
export const createResultInsertion = (store: Store) =>
  prepareForRows<ResultTable, unknown>(
    store,
    { monitor: 'long', at: 'long', region: 'integer', code: 'integer', tenths: 'long' },
    (db, given) =>
      db
        .insertInto('result')
        .columns(['monitor', 'at', 'region', 'code', 'tenths'])
        // Without a `where`, SQLite would read `on conflict` as the condition of a join.
        .expression(db.selectFrom(given).selectAll().where(sql.lit(true)))
        .onConflict((conflict) => conflict.doNothing()),
  );

/** Creates the function that inserts details of results into the table `result_detail`. */
export const createDetailInsertion = (store: Store) =>
  prepareForRows<ResultDetailTable, unknown>(
    store,
    { monitor: 'long', at: 'long', region: 'integer', error_message: 'text', timings: 'text' },
    (db, given) =>
      db
        .insertInto('result_detail')
        .columns(['monitor', 'at', 'region', 'error_message', 'timings'])
        .expression(db.selectFrom(given).selectAll().where(sql.lit(true)))
        .onConflict((conflict) => conflict.doNothing()),
  );

function resultOf({ monitor, at, region, outcome }: StoredOutcome): ResultTable {
  const error = outcome.verdict === 'up' ? null : outcome.error;
  const tenths = outcome.responseTime === null ? null : Math.round(outcome.responseTime * 10);
  return { monitor, at, region, code: resultCode(error?.code ?? null, outcome.statusCode), tenths };
}

function detailOf({ monitor, at, region, outcome }: StoredOutcome): ResultDetailTable | null {
  const error = outcome.verdict === 'up' ? null : outcome.error;
  const { timings } = outcome;
  if (!error && !timings) return null;
  const phases =
    timings && JSON.stringify([timings.dns, timings.connect, timings.tls, timings.firstByte, timings.download]);
  return { monitor, at, region, error_message: error?.message ?? null, timings: phases };
}
