import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Adds a column for the name of the manifest that manages a resource. Monitors have this name in their `config`. */
export const managedBy =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    for (const table of ['channel', 'rule', 'status_page', 'incident'])
      await db.schema.alterTable(table).addColumn('managed_by', type.text).execute();
  };
