import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Creates the tables for public status pages. tables.ts describes them. */
export const statusPages =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const index = (table: string, name: string) => db.schema.createIndex(`${table}_${name}`).on(table);
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    const unique = (column: ColumnDefinitionBuilder) => column.notNull().unique();
    const of = (target: string) => (column: ColumnDefinitionBuilder) =>
      column.notNull().references(target).onDelete('cascade');

    await db.schema
      .createTable('status_page')
      .addColumn('seq', type.serial)
      .addColumn('id', type.text, unique)
      .addColumn('project_id', type.text, of('project.id'))
      .addColumn('key', type.text)
      .addColumn('name', type.text, required)
      .addColumn('slug', type.text, unique)
      .addColumn('custom_domain', type.text, (column) => column.unique())
      .addColumn('domain_status', type.text)
      .addColumn('domain_error', type.text)
      .addColumn('domain_check_at', type.bigInteger)
      .addColumn('created_at', type.bigInteger, required)
      .addColumn('updated_at', type.bigInteger, required)
      .modifyEnd(tableEnd(false))
      .execute();
    await index('status_page', 'project_id').columns(['project_id', 'seq']).execute();
    await index('status_page', 'key')
      .unique()
      .columns(['project_id', 'key'])
      .where(sql.ref('key'), 'is not', null)
      .execute();
    await db.schema
      .createTable('status_page_monitor')
      .addColumn('page', type.bigInteger, of('status_page.seq'))
      .addColumn('monitor', type.bigInteger, of('monitor.seq'))
      .addColumn('position', type.integer, required)
      .addPrimaryKeyConstraint('status_page_monitor_key', ['page', 'monitor'])
      .modifyEnd(tableEnd(true))
      .execute();
    await index('status_page_monitor', 'monitor').column('monitor').execute();
  };
