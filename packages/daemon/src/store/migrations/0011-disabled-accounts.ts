import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Creates the table for accounts that the operator disabled. account-tables.ts describes it. */
export const disabledAccounts =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('disabled_account')
      .addColumn('user_id', type.text, (column) => column.primaryKey().notNull())
      .addColumn('since', type.bigInteger, (column) => column.notNull())
      .modifyEnd(tableEnd(true))
      .execute();
  };
