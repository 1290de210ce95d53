import type { Kysely } from 'kysely';

/** The column of a heartbeat's allowed silence says its unit. */
export const allowedSilence =
  () =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('monitor_state').renameColumn('patience', 'allowed_silence_ms').execute();
  };
