import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds a column that says whether an incident is about certain monitors or about all, even after those monitors are
 * deleted. See page-tables.ts.
 */
export const incidentReach =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('incident')
      .addColumn('named', type.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update incident set named = 1 where seq in (select incident from incident_monitor)`.execute(db);
  };
