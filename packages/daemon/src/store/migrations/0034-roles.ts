import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** The roles of each node; see tables.ts. */
export const roles =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('presence')
      .addColumn('roles', type.text, (column) => column.notNull().defaultTo('api,checker,deliver,housekeeping'))
      .execute();
  };
