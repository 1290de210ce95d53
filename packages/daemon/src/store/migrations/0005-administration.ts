import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Creates the tables for decisions of the operator at run time: invitations, and closed sign-up. tables.ts describes
 * them.
 */
export const administration =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('invitation')
      .addColumn('code_hash', type.text, (column) => column.primaryKey().notNull())
      .addColumn('email', type.text)
      .addColumn('expires_at', type.bigInteger, (column) => column.notNull())
      .modifyEnd(tableEnd(true))
      .execute();
    await db.schema
      .createTable('sign_up_closed')
      .addColumn('since', type.bigInteger, (column) => column.primaryKey().notNull())
      .modifyEnd(tableEnd(true))
      .execute();
  };
