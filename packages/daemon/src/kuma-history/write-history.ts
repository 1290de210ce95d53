import { sql, type Transaction } from 'kysely';
import type { Horizons } from '../recording/forget-past.ts';
import { createCountAddition } from '../recording/count-checks.ts';
import { createDetailInsertion, createResultInsertion } from '../recording/write-results.ts';
import { type Executor, inOneTrip, prepareForRows } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { ObservedTable, Tables } from '../store/tables.ts';
import { lockMonitor } from '../stored-monitors/lock-monitor.ts';
import { HistoryError } from './history-error.ts';
import { detailOf, type HistoryTarget, type NewChange, resultOf, rowsOf, type WholeDay } from './history-rows.ts';
import type { Beat } from './kuma-file.ts';

export interface HistoryWriter {
  /**
   * Writes single checks. Checks that are already stored are skipped. Resolves with the number of checks that are not
   * past their retention.
   */
  beats: (target: HistoryTarget, beats: readonly Beat[]) => Promise<number>;
  /**
   * Writes consecutive days, and the new end of the imported history, in one transaction. `doneUntil` is where the
   * imported history ended before this write; null if nothing was imported yet. Resolves with false if the monitor was
   * deleted. Throws HistoryError if the imported history no longer ends at `doneUntil`, because another import has
   * written to it.
   */
  days: (
    target: HistoryTarget,
    days: readonly WholeDay[],
    mark: { from: number; doneUntil: number | null },
  ) => Promise<boolean>;
}

/** Creates the writer. It leaves out data that is already past its retention. */
export function createHistoryWriter(store: Store, horizons: Horizons): HistoryWriter {
  const insertResults = createResultInsertion(store);
  const insertDetails = createDetailInsertion(store);
  const addCounts = createCountAddition(store);
  const [addHours, addDays] = [createTimeAddition(store, 'observed_hour'), createTimeAddition(store, 'observed_day')];
  const insertChanges = createChangeInsertion(store);

  return {
    async beats(target, beats) {
      const kept = beats.filter(({ at, status }) => at >= horizons.raw && status !== 'maintenance');
      if (kept.length === 0) return 0;
      const rows = kept.map((beat) => resultOf(target, beat));
      const details = kept.flatMap((beat) => detailOf(target, beat));
      await store.write(
        (trx) =>
          inOneTrip(store, trx, (trip) =>
            Promise.all([insertResults(trip, rows), details.length > 0 && insertDetails(trip, details)]),
          ),
        { durable: false },
      );
      return rows.length;
    },

    days: (target, days, { from, doneUntil }) =>
      store.write(async (trx) => {
        const { seq } = target;
        await lockMonitor(trx, seq);
        if (!(await existsUnchanged(trx, seq, doneUntil))) return false;
        const rows = rowsOf(target, days, horizons);
        await inOneTrip(store, trx, (trip) =>
          Promise.all([
            addCounts(trip, { hours: rows.hours, buckets: rows.buckets }),
            rows.spentByHour.length > 0 && addHours(trip, rows.spentByHour),
            rows.spentByDay.length > 0 && addDays(trip, rows.spentByDay),
            rows.changes.length > 0 && insertChanges(trip, rows.changes),
          ]),
        );
        const until = days.at(-1)!.until;
        await trx
          .insertInto('imported_history')
          .values({ monitor: seq, from_at: from, until_at: until })
          .onConflict((conflict) => conflict.column('monitor').doUpdateSet({ until_at: until }))
          .execute();
        return true;
      }),
  };
}

/**
 * Whether the monitor exists. Throws if its imported history does not end at `doneUntil`, because another import has
 * written to it.
 */
async function existsUnchanged(trx: Transaction<Tables>, monitor: number, doneUntil: number | null): Promise<boolean> {
  const row = await trx
    .selectFrom('monitor')
    .leftJoin('imported_history', 'imported_history.monitor', 'monitor.seq')
    .select('until_at')
    .where('seq', '=', monitor)
    .executeTakeFirst();
  if (row && row.until_at !== doneUntil)
    throw new HistoryError(
      'Another import is writing this history. Wait until that import has ended, then run this import again.',
    );
  return row !== undefined;
}

const createTimeAddition = (store: Store, table: 'observed_hour' | 'observed_day') =>
  prepareForRows<ObservedTable, unknown>(
    store,
    { monitor: 'long', period: 'long', up_ms: 'long', down_ms: 'long', maintenance_ms: 'long' },
    (db, given) =>
      db
        .insertInto(table)
        .columns(['monitor', 'period', 'up_ms', 'down_ms', 'maintenance_ms'])
        // Without a `where`, SQLite would read `on conflict` as the condition of a join.
        .expression(db.selectFrom(given).selectAll().where(sql.lit(true)))
        .onConflict((conflict) =>
          conflict.columns(['monitor', 'period']).doUpdateSet((set) => ({
            up_ms: set(`${table}.up_ms`, '+', set.ref('excluded.up_ms')),
            down_ms: set(`${table}.down_ms`, '+', set.ref('excluded.down_ms')),
            maintenance_ms: set(`${table}.maintenance_ms`, '+', set.ref('excluded.maintenance_ms')),
          })),
        ),
  );

const createChangeInsertion = (store: Store): ((trip: Executor, rows: readonly NewChange[]) => Promise<unknown>) =>
  prepareForRows<NewChange, unknown>(
    store,
    { monitor: 'long', at: 'long', from_status: 'text', to_status: 'text', error_code: 'text', error_message: 'text' },
    (db, given) =>
      db
        .insertInto('status_change')
        .columns(['monitor', 'at', 'from_status', 'to_status', 'error_code', 'error_message'])
        .expression(db.selectFrom(given).selectAll()),
  );
