import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds a column that says when a page's custom domain last pointed to this server. Another page may take over a domain
 * that has not pointed to this server for long.
 */
export const domainClaims =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('status_page').addColumn('domain_pointed_at', type.bigInteger).execute();
    await sql`update status_page set domain_pointed_at = updated_at where custom_domain is not null`.execute(db);
  };
