import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Creates the table for keys of projects that machines use. monitor-tables.ts describes it. */
export const projectKeys =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('project_key')
      .addColumn('id', type.text, (column) => column.primaryKey().notNull())
      .addColumn('project_id', type.text, (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('name', type.text, (column) => column.notNull())
      .addColumn('scope', type.text, (column) => column.notNull())
      .addColumn('digest', type.text, (column) => column.notNull().unique())
      .addColumn('expires_at', type.bigInteger)
      .addColumn('last_used_at', type.bigInteger)
      .addColumn('created_at', type.bigInteger, (column) => column.notNull())
      .modifyEnd(tableEnd(true))
      .execute();
    await db.schema
      .createIndex('project_key_name')
      .unique()
      .on('project_key')
      .columns(['project_id', 'name'])
      .execute();
  };
