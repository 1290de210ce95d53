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
  // Unheard, a lost connection's event would end the process, whether it was at rest or in use. The next query that
  // needs one connects again.
  pool.on('connect', (client) => {
    client.on('error', (error: Error) => log.warn({ error: error.message }, 'lost a connection to the database'));
  });
  pool.on('error', (error) => log.debug({ error: error.message }, 'removed a lost connection from the pool'));
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
