import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * On SQLite, adds an index from which the monitors of a region can be read in order, page by page. Checks do not write
 * the table there. On PostgreSQL, every check changes `schedule_claimable`, and therefore would write this index too.
 */
export const regionPages =
  ({ exclusive }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    if (exclusive)
      await db.schema.createIndex('schedule_region').on('schedule').columns(['region', 'monitor']).execute();
  };
