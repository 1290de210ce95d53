import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Numbers the answers that are kept for repeated requests, in the order of their requests. Before, the table was sorted
 * by the keys of clients, which are random. So each new answer changed more pages of the database.
 */
export const answersInOrder =
  ({ columns: type, tableEnd }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('idempotency').renameTo('old_idempotency').execute();
    await db.schema
      .createTable('idempotency')
      .addColumn('seq', type.counter)
      .addColumn('scope', type.text, (column) => column.notNull())
      .addColumn('key', type.text, (column) => column.notNull())
      .addColumn('owner', type.text, (column) => column.notNull())
      .addColumn('request_hash', type.text, (column) => column.notNull())
      .addColumn('body', type.text, (column) => column.notNull())
      .addColumn('bytes', type.bigInteger, (column) => column.notNull())
      .addColumn('created_at', type.bigInteger, (column) => column.notNull())
      .modifyEnd(tableEnd(false))
      .execute();
    await sql`insert into idempotency (scope, key, owner, request_hash, body, bytes, created_at)
      select scope, key, owner, request_hash, body, bytes, created_at from old_idempotency order by created_at`.execute(
      db,
    );
    await db.schema.dropTable('old_idempotency').execute();
    await db.schema.createIndex('idempotency_request').on('idempotency').columns(['scope', 'key']).unique().execute();
    // With this index, a sum of bytes does not read the table.
    await db.schema.createIndex('idempotency_owner').on('idempotency').columns(['owner', 'bytes']).execute();
  };
