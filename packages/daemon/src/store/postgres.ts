import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import { types } from 'pg';
import type { Logger } from '../deps.ts';
import { createGuardedPool } from './guarded-pool.ts';
import { quietAddress } from './postgres-address.ts';
import { translatingDriver } from './translating-driver.ts';
import type { Tables } from './tables.ts';
import { quickTransactions } from './postgres-transactions.ts';

/** The ids of the types bigint and numeric. Their values are read as numbers, because no stored value exceeds 2^53. */
const numbers = new Set<number>([20, 1700]);

/** How long PostgreSQL may take for a statement. */
export const statementLimitMs = 10_000;

export interface PostgresOptions {
  databaseUrl: string;
  /** How long PostgreSQL may take for a statement. After that, the statement fails, and its connection is discarded. */
  limitMs?: number | undefined;
  log: Logger;
}

/** Connects to PostgreSQL by its `postgres://` address. */
export function openPostgres({ databaseUrl, limitMs = statementLimitMs, log }: PostgresOptions): Kysely<Tables> {
  const config = {
    connectionString: quietAddress(databaseUrl),
    max: 10,
    connectionTimeoutMillis: Math.max(statementLimitMs, limitMs),
    application_name: 'uptime',
    // If statements of a transaction do not wait for each other, they share a round trip.
    pipeline: true,
    // Without `keepAlive`, Linux waits two hours before it checks whether the peer is still there.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        numbers.has(oid) && format !== 'binary' ? Number : types.getTypeParser(oid, format),
    },
  };
  const { pool, guarded } = createGuardedPool(config, { statementLimitMs: limitMs });
  // Without a listener, a lost connection's error would end the process, whether the connection was idle or in use. The
  // next query opens a new connection.
  pool.on('connect', (client) => {
    client.on('error', (error: Error) => log.warn({ error: error.message }, 'lost a connection to the database'));
  });
  pool.on('error', (error) => log.debug({ error: error.message }, 'removed a lost connection from the pool'));
  const dialect = new PostgresDialect({ pool: guarded });
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => translatingDriver(quickTransactions(dialect.createDriver())),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createAdapter,
    },
  });
}

/**
 * Returns an adapter without Kysely's lock on migrations, because that lock belongs to a session. Behind a pooler, it
 * would remain in a session that other clients use. Instead, migrate.ts takes a lock that ends with the transaction of
 * the migration.
 */
function createAdapter(): PostgresAdapter {
  const adapter = new PostgresAdapter();
  return Object.assign(adapter, { acquireMigrationLock: async () => {}, releaseMigrationLock: async () => {} });
}
