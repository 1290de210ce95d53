import type { Logger } from '../deps.ts';
import { cannotOpenPostgres } from './cannot-open-postgres.ts';
import { isSerializationFailure, manyWrites } from './failures.ts';
import { migrate } from './migrate.ts';
import { createOwnerTurns } from './owner-turns.ts';
import { faultOfAddress } from './postgres-address.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { openSqlite } from './sqlite.ts';
import { retry } from './retry.ts';
import type { Store } from './store.ts';

export interface StoreOptions {
  /** A `postgres://` address. Without one, a SQLite file in the data folder is used. */
  databaseUrl?: string | undefined;
  dataDir: string;
  log: Logger;
  /** The path of better-sqlite3's `.node` file, if it is not next to its package. */
  nativeBinding?: string | undefined;
  /** How long PostgreSQL may take for a statement. Only tests set it. */
  statementLimitMs?: number;
}

/**
 * How long PostgreSQL may take for a statement of a migration. It is long, because the statement may rewrite a large
 * table.
 */
const migrationLimitMs = 3_600_000;

/** Opens the store and migrates its schema. If it cannot, it throws an error that says why. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, dataDir, log, nativeBinding } = options;
  if (databaseUrl) return openPostgresStore({ ...options, databaseUrl: checked(databaseUrl) });
  const store = createStore(await openSqlite({ dataDir, log, nativeBinding }), sqliteDialect);
  try {
    await migrate(store.db, store.dialect);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * Opens PostgreSQL. The migration has a connection of its own with a longer time limit, because its statements may take
 * long.
 */
async function openPostgresStore({
  databaseUrl,
  log,
  statementLimitMs,
}: StoreOptions & { databaseUrl: string }): Promise<Store> {
  // The import is here, so that a server on SQLite does not load the client of PostgreSQL.
  const { openPostgres } = await import('./postgres.ts');
  const migrating = openPostgres({ databaseUrl, limitMs: migrationLimitMs, log });
  try {
    await migrate(migrating, postgresDialect);
  } catch (error) {
    throw cannotOpenPostgres(error, databaseUrl);
  } finally {
    await migrating.destroy();
  }
  return createStore({ db: openPostgres({ databaseUrl, limitMs: statementLimitMs, log }) }, postgresDialect);
}

function checked(databaseUrl: string): string {
  const fault = faultOfAddress(databaseUrl);
  if (fault !== null) throw new Error(`UPTIME_DATABASE_URL ${fault}`);
  return databaseUrl;
}

/**
 * How long a write waits for its turn. It may then spend the same time on retries after conflicts with other writes.
 */
const retryWindowMs = 15_000;

function createStore({ db, direct }: Pick<Store, 'db' | 'direct'>, dialect: Store['dialect']): Store {
  const turns = createOwnerTurns();
  return {
    db,
    ...(direct && { direct }),
    dialect,
    async write(work, { durable = true, urgent = false, owner } = {}) {
      const attempt = () => dialect.transaction(db, { durable, urgent }).execute(work);
      // Without turns, many writes that change one row would conflict at each retry, and only one write would succeed
      // each time.
      const endTurn = owner === undefined ? null : await turns.begin(owner, retryWindowMs, manyWrites);
      try {
        return await retry(attempt, { helps: isSerializationFailure, windowMs: retryWindowMs, firstWaitMs: 5 });
      } finally {
        endTurn?.();
      }
    },
    close: () => db.destroy(),
  };
}
