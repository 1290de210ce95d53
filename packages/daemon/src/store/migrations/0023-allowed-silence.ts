import type { Kysely } from 'kysely';

/** Renames the column of a heartbeat's allowed silence, so that its name says the unit. */
export const allowedSilence =
  () =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('monitor_state').renameColumn('patience', 'allowed_silence_ms').execute();
  };
