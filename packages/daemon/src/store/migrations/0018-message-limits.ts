import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Creates the tables for message limits and confirmation codes, and adds columns for the confirmation of addresses. See
 * delivery-tables.ts and alert-tables.ts.
 */
export const messageLimits =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    await db.schema
      .createTable('message_budget')
      .addColumn('owner', type.text, required)
      .addColumn('kind', type.text, required)
      .addColumn('full_at', type.bigInteger, required)
      .addPrimaryKeyConstraint('message_budget_key', ['owner', 'kind'])
      .modifyEnd(tableEnd(true))
      .execute();
    await db.schema
      .createTable('address_codes')
      .addColumn('mailbox', type.text, (column) => column.primaryKey().notNull())
      .addColumn('latest_at', type.bigInteger, required)
      .addColumn('second_at', type.bigInteger)
      .addColumn('third_at', type.bigInteger)
      .modifyEnd(tableEnd(true))
      .execute();

    const channel = () => db.schema.alterTable('channel');
    await channel().addColumn('address_digest', type.text).execute();
    await channel().addColumn('confirmed_at', type.bigInteger).execute();
    await channel().addColumn('code_digest', type.text).execute();
    await channel().addColumn('code_until', type.bigInteger).execute();
    await channel()
      .addColumn('code_tries', type.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await channel().addColumn('held_why', type.text).execute();
    await sql`update channel set confirmed_at = created_at`.execute(db);
    // The daemon reads this index when a channel gets the address of another channel of the same account.
    await db.schema
      .createIndex('channel_address')
      .on('channel')
      .column('address_digest')
      .where(sql.ref('address_digest'), 'is not', null)
      .execute();
  };
