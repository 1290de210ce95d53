import { type Kysely, sql } from 'kysely';
import type { FoldName, Tables } from './tables.ts';

/**
 * Selects the recent results that the fold `name` has not processed yet. The fold `counts` adds results to the counts,
 * and the fold `results` moves them to the table `result`. Add a condition on `recent.monitor`: with it, the query
 * takes two index seeks for each result slot.
 */
export const selectUnfolded = (db: Pick<Kysely<Tables>, 'selectFrom'>, name: FoldName) =>
  db
    .selectFrom('result_slot as slots')
    .leftJoin('result_fold as fold', (join) => join.on('fold.name', '=', sql.lit(name)))
    // SQLite keeps the order of a cross join, so it seeks the monitor in each result slot.
    .crossJoin('recent_result as recent')
    .select(['recent.monitor', 'recent.at', 'recent.region', 'recent.code', 'recent.tenths'])
    .whereRef('recent.slot', '=', 'slots.slot')
    .where((row) =>
      row.or([
        row('fold.name', 'is', null),
        row.and([
          row('slots.slot', '>', row.ref('fold.done')),
          row.or([
            row('slots.slot', '>', row.ref('fold.target')),
            row('recent.monitor', '>', row.ref('fold.position')),
          ]),
        ]),
      ]),
    );
