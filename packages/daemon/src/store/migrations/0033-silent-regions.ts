import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds columns for when a region became silent, and for when a probe stopped on purpose. See monitor-tables.ts and
 * probe-tables.ts.
 */
export const silentRegions =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('region').addColumn('silent_since', type.bigInteger).execute();
    await db.schema.alterTable('probe').addColumn('left_at', type.bigInteger).execute();
  };
