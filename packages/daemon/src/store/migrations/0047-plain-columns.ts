import type { Kysely } from 'kysely';

/** Renames two columns, so that their names use the words of docs/style.md. */
export const plainColumns =
  () =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('monitor_state').renameColumn('accounted_until', 'rolled_up_until').execute();
    await db.schema.alterTable('alert').renameColumn('told', 'notified').execute();
  };
