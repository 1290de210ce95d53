import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Adds the latest absences that each node noted. */
export const notedAbsences =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('presence')
      .addColumn('absences', type.text, (column) => column.notNull().defaultTo('{}'))
      .execute();
  };
