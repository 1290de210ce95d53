import type { Kysely } from 'kysely';

/** Adds a column for the process that a probe runs in. */
export async function probeRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('probe').addColumn('run', 'text').execute();
}
