import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * On SQLite, adds an index from which the monitors of a region can be read in order, page by page. On SQLite, checks do
 * not write the table `schedule`. On PostgreSQL, every check changes a column of the index `schedule_claimable`, and so
 * would have to write the new index too.
 */
export const regionPages =
  ({ exclusive }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    if (exclusive)
      await db.schema.createIndex('schedule_region').on('schedule').columns(['region', 'monitor']).execute();
  };
