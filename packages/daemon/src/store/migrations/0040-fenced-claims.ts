import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds numbers for the claims of checks and deliveries, so that a node can change nothing after another node took over
 * its lease. See monitor-tables.ts. Also creates the table for fingerprints of secret keys.
 */
export const fencedClaims =
  ({ columns: type, name, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const add = (table: string, column: string) =>
      db.schema
        .alterTable(table)
        .addColumn(column, type.bigInteger, (made) => made.notNull().defaultTo(0))
        .execute();
    await add('schedule', 'claim');
    await add('schedule', 'first_claim');
    await add('delivery', 'claim');
    // Only PostgreSQL has several nodes. On SQLite, the claims of checks are in memory.
    if (name === 'postgres') await sql`create sequence schedule_claim`.execute(db);
    await db.schema
      .createTable('key_fingerprint')
      .addColumn('instance', type.text, (column) => column.primaryKey().notNull())
      .addColumn('fingerprint', type.text, (column) => column.notNull())
      .addColumn('started_at', type.bigInteger, (column) => column.notNull())
      .modifyEnd(tableEnd(true))
      .execute();
  };
