import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** How long a page holds a custom domain that does not point here. */
export const domainClaims =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('status_page').addColumn('domain_pointed_at', type.bigInteger).execute();
    await sql`update status_page set domain_pointed_at = updated_at where custom_domain is not null`.execute(db);
  };
