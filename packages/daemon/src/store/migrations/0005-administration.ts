import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** The operator's decisions at run time; tables.ts describes them. */
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
