import type { Kysely } from 'kysely';

/** Renames two columns to the words of the glossary. */
export const plainColumns =
  () =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('monitor_state').renameColumn('accounted_until', 'rolled_up_until').execute();
    await db.schema.alterTable('alert').renameColumn('told', 'notified').execute();
  };
