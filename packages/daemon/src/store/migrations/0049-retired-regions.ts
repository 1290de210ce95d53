import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Tables } from '../tables.ts';

/** Adds the column that says when a region was retired. Replaces the name of each probe by a digest of that name. */
export const retiredRegions =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('region').addColumn('retired_at', type.bigInteger).execute();
    const probes = db as Kysely<Tables>;
    for (const { name } of await probes.selectFrom('probe').select('name').execute()) {
      // The same digest as in core/probe-name.ts when this migration was written.
      const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
      await probes.updateTable('probe').set({ name: digest }).where('name', '=', name).execute();
    }
  };
