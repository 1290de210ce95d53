import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds the generation in which each monitor got its present target. The generations of earlier edits are not known, so
 * the present one is taken.
 */
export const targetGeneration =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('monitor')
      .addColumn('target_generation', type.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update monitor set target_generation = generation where generation <> 0`.execute(db);
  };
