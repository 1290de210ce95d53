import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Adds the latest absence that each node noted. */
export const notedAbsences =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    for (const name of ['absent_from', 'absent_to'])
      await db.schema.alterTable('presence').addColumn(name, type.bigInteger).execute();
  };
