import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Creates the tables for state that the nodes on one PostgreSQL share, in addition to the data of users.
 * shared-tables.ts describes them.
 */
export const sharedState =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const end = (table: ReturnType<typeof create>) => table.modifyEnd(tableEnd(true)).execute();
    const create = (name: string, key: string) =>
      db.schema.createTable(name).addColumn(key, type.text, (column) => column.primaryKey().notNull());

    await end(
      create('attempt_count', 'scope')
        .addColumn('until', type.bigInteger, (column) => column.notNull())
        .addColumn('count', type.integer, (column) => column.notNull()),
    );
    await db.schema.createIndex('attempt_count_until').on('attempt_count').column('until').execute();
    await end(
      create('lease', 'name')
        .addColumn('holder', type.text, (column) => column.notNull())
        .addColumn('until', type.bigInteger, (column) => column.notNull()),
    );
    await end(
      create('certificate_file', 'name')
        .addColumn('body', type.text, (column) => column.notNull())
        .addColumn('version', type.text, (column) => column.notNull())
        .addColumn('written_at', type.bigInteger, (column) => column.notNull()),
    );
    await db.schema.createIndex('certificate_file_written').on('certificate_file').column('written_at').execute();
    await end(
      create('certificate_proof', 'token')
        .addColumn('proof', type.text, (column) => column.notNull())
        .addColumn('until', type.bigInteger, (column) => column.notNull()),
    );
  };
