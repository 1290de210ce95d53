import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Numbers the answers that are kept for repeated requests, in the order of their requests. Before, SQLite sorted the
 * table by the keys of clients, which are random. So each new answer changed more pages of the database.
 *
 * A PostgreSQL database that a move is still filling gets no answers. The move copies them from SQLite again, with the
 * numbers that they have there.
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
      select scope, key, owner, request_hash, body, bytes, created_at from old_idempotency
      where not exists (select 1 from database_move where state = 'filling') order by created_at`.execute(db);
    await db.schema.dropTable('old_idempotency').execute();
    await db.schema.createIndex('idempotency_request').on('idempotency').columns(['scope', 'key']).unique().execute();
    // With this index, a sum of bytes does not read the table.
    await db.schema.createIndex('idempotency_owner').on('idempotency').columns(['owner', 'bytes']).execute();
  };
