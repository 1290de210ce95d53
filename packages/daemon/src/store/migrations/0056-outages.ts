import { type Kysely, sql } from 'kysely';

/** Renames a table and a column, so that their names use the words of docs/style.md. */
export const outages =
  () =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('monitor_state').renameColumn('blind_since', 'unobserved_since').execute();
    await db.schema.alterTable('episode').renameTo('outage').execute();
    for (const name of ['episode_monitor', 'episode_open']) await db.schema.dropIndex(name).execute();
    await db.schema.createIndex('outage_monitor').on('outage').columns(['monitor', 'opened_at']).execute();
    const open = db.schema.createIndex('outage_open').unique().on('outage').column('monitor');
    await open.where(sql.ref('closed_at'), 'is', null).execute();
  };
