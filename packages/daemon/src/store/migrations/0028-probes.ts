import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Creates the server's tables for probes and their tokens. probe-tables.ts describes them. */
export const probes =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    const key = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull();
    const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
    await db.schema
      .createTable('probe_token')
      .addColumn('id', type.text, key)
      .addColumn('region', type.integer, required)
      .addColumn('digest', type.text, (column) => column.notNull().unique())
      .addColumn('created_at', type.bigInteger, required)
      .modifyEnd(tableEnd(false))
      .execute();
    await db.schema
      .createTable('probe')
      .addColumn('name', type.text, key)
      .addColumn('token', type.text, (column) => column.notNull().references('probe_token.id').onDelete('cascade'))
      .addColumn('region', type.integer, required)
      .addColumn('version', type.text, required)
      .addColumn('first_seen_at', type.bigInteger, required)
      .addColumn('seen_at', type.bigInteger, required)
      .addColumn('applied', type.bigInteger, zero)
      .addColumn('applied_at', type.bigInteger, zero)
      .addColumn('queued', type.integer, zero)
      .addColumn('oldest_at', type.bigInteger)
      .addColumn('skew_ms', type.bigInteger)
      .addColumn('fault', type.text)
      .modifyEnd(tableEnd(false))
      .execute();
  };
