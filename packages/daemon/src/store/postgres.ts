import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import type { Logger } from '../deps.ts';
import { translatingDriver } from './translating-driver.ts';
import type { Tables } from './tables.ts';

/** bigint and numeric: none of ours goes beyond 2^53. */
const numbers = new Set<number>([20, 1700]);

/** Connects to PostgreSQL by its `postgres://` address. */
export function openPostgres({ databaseUrl, log }: { databaseUrl: string; log: Logger }): Kysely<Tables> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 10_000,
    application_name: 'uptime',
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        numbers.has(oid) && format !== 'binary' ? Number : types.getTypeParser(oid, format),
    },
  });
  // A connection that is lost while it rests is replaced by the next query; unheard, the event would end the process.
  pool.on('error', (error) => log.warn({ error: error.message }, 'lost an idle connection to the database'));
  const dialect = new PostgresDialect({ pool });
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => translatingDriver(dialect.createDriver()),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createAdapter: () => dialect.createAdapter(),
    },
  });
}
