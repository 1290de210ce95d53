import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Adds a column for the roles of each node. history-tables.ts describes it. */
export const roles =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('presence')
      .addColumn('roles', type.text, (column) => column.notNull().defaultTo('api,checker,deliver,housekeeping'))
      .execute();
  };
