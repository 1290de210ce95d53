import { type Kysely, sql } from 'kysely';

/**
 * Adds indexes of the channels that need a warning: those whose latest message did not arrive, and those that wait for
 * a message limit. Usually both are empty, and a message that arrives changes neither.
 */
export const failingChannels =
  () =>
  async (db: Kysely<unknown>): Promise<void> => {
    const index = (name: string) => db.schema.createIndex(`channel_${name}`).on('channel');
    await index('failing').column('seq').where(sql.ref('last_error'), 'is not', null).execute();
    await index('held').column('wait_until').where(sql.ref('held_why'), 'is not', null).execute();
  };
