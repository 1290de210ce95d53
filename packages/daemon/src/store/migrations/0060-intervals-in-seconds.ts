import type { Kysely } from 'kysely';

/** Adds the unit to the names of two columns. */
export const intervalsInSeconds =
  () =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('plan').renameColumn('check_interval', 'check_interval_seconds').execute();
    await db.schema.alterTable('rule').renameColumn('reminder_interval', 'reminder_interval_seconds').execute();
  };
