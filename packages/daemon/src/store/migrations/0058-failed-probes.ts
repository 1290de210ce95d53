import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Adds the time at which a probe last reported that most of its checks give no verdict. */
export const failedProbes =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('probe').addColumn('failed_at', type.bigInteger).execute();
  };
