import { type Kysely, sql } from 'kysely';

/**
 * Adds indexes without which some statements would read a whole table. The indexes do not slow down checks and pings,
 * because these do not write the indexed columns.
 */
export const indexesAtSize =
  () =>
  async (db: Kysely<unknown>): Promise<void> => {
    const index = (table: string, name: string) => db.schema.createIndex(`${table}_${name}`).on(table);
    await index('paging_incident', 'next_at').column('next_at').execute();
    await index('message_budget', 'full_at').column('full_at').execute();
    await index('address_codes', 'latest_at').column('latest_at').execute();
    await index('status_page', 'domain_check_at')
      .column('domain_check_at')
      .where(sql.ref('domain_check_at'), 'is not', null)
      .execute();
    await index('monitor', 'plan_paused').column('project_id').where(sql.ref('plan_paused'), '=', sql.lit(1)).execute();
    await index('alert', 'rule').column('rule').where(sql.ref('resolved_at'), 'is', null).execute();
    await index('delivery', 'channel')
      .columns(['channel', 'seq'])
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .execute();
  };
