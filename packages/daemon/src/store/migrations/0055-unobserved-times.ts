import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Adds a column for the times in which no region reported about a monitor. */
export const unobservedTimes =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('monitor_state')
      .addColumn('unobserved', type.text, (column) => column.notNull().defaultTo('[]'))
      .execute();
  };
