import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds the column `naming_count`, which says how many times something has named a region. Older versions stored this
 * number in `retired_at`, as a negative number.
 */
export const namedRegions =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('region')
      .addColumn('naming_count', type.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update region set naming_count = -retired_at, retired_at = null where retired_at < 0`.execute(db);
  };
