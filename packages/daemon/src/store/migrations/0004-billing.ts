import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Creates the tables for plans, subscriptions and events of payment providers. Adds columns for monitors that a plan
 * limits. tables.ts describes them.
 */
export const billing =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    const key = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull();

    await db.schema
      .createTable('plan')
      .addColumn('id', type.text, key)
      .addColumn('name', type.text, required)
      .addColumn('monitors', type.integer, required)
      .addColumn('check_interval', type.integer, required)
      .addColumn('regions', type.integer, required)
      .addColumn('price_cents', type.bigInteger, required)
      .addColumn('deleted_at', type.bigInteger)
      .modifyEnd(tableEnd(false))
      .execute();
    await db.schema
      .createTable('account_lock')
      .addColumn('user_id', type.text, key)
      .modifyEnd(tableEnd(false))
      .execute();
    await db.schema
      .createTable('subscription')
      .addColumn('id', type.text, key)
      .addColumn('user_id', type.text)
      .addColumn('plan_id', type.text)
      .addColumn('status', type.text, required)
      .addColumn('period_start', type.bigInteger)
      .addColumn('period_end', type.bigInteger)
      .addColumn('since', type.bigInteger, required)
      .modifyEnd(tableEnd(false))
      .execute();
    await db.schema.createIndex('subscription_user_id').on('subscription').column('user_id').execute();
    await db.schema.createIndex('subscription_plan_id').on('subscription').column('plan_id').execute();
    await db.schema
      .createTable('billing_event')
      .addColumn('id', type.text, key)
      .addColumn('subscription', type.text, (column) =>
        column.notNull().references('subscription.id').onDelete('cascade'),
      )
      .addColumn('event', type.text, required)
      .modifyEnd(tableEnd(false))
      .execute();
    await db.schema.createIndex('billing_event_subscription').on('billing_event').column('subscription').execute();

    await db.schema
      .alterTable('monitor')
      .addColumn('plan_paused', type.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('monitor').addColumn('region_limit', type.integer).execute();
    await db.schema
      .createIndex('monitor_limited')
      .on('monitor')
      .column('project_id')
      .where(sql.ref('region_limit'), 'is not', null)
      .execute();
  };
