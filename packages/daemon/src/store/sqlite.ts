import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteAdapter, SqliteDialect, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Logger } from '../deps.ts';
import {
  createSqliteDriver,
  createDirectStatements,
  type DirectStatements,
  retryWhileLocked,
} from './sqlite-driver.ts';
import type { Tables } from './tables.ts';

export interface SqliteOptions {
  dataDir: string;
  log: Pick<Logger, 'warn'>;
  /** The path of better-sqlite3's `.node` file, if it is not next to its package. */
  nativeBinding?: string | undefined;
  /** How long a write waits for a locked database. */
  lockTimeoutMs?: number | undefined;
}

/** The path of the database in the data folder. */
export const sqliteFile = (dataDir: string) => join(dataDir, 'uptime.db');

/**
 * Opens or creates the database in the data folder. Only the owner of the file can read the file. If this function
 * creates the folder, the same is true for the folder.
 */
export async function openSqlite({
  dataDir,
  log,
  nativeBinding,
  lockTimeoutMs,
}: SqliteOptions): Promise<{ db: Kysely<Tables>; direct: DirectStatements }> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = sqliteFile(dataDir);
  // SQLite itself would create a database that all users can read. It gives its journal the mode of the database.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  // Files that a killed process left keep their old mode, so it is set here.
  for (const left of [`${file}-wal`, `${file}-shm`]) chmodIfThere(left, 0o600);

  const options = { timeout: 0, nativeBinding };
  const writer = new Database(file, options);
  let reader;
  try {
    // `auto_vacuum` must be set before the first table exists. It lets `shrink` give the space of deleted rows back to
    // the file system.
    await retryWhileLocked(() => writer.pragma('auto_vacuum = incremental'));
    await retryWhileLocked(() => writer.pragma('journal_mode = wal'));
    reader = new Database(file, { ...options, readonly: true });
    for (const connection of [writer, reader]) {
      connection.pragma('synchronous = full');
      connection.pragma('foreign_keys = on');
      connection.pragma('cache_size = -16000');
      connection.pragma('temp_store = memory');
    }
    writer.pragma('journal_size_limit = 67108864');
  } catch (error) {
    reader?.close();
    writer.close();
    throw error;
  }

  const connections = { reader, writer, log, lockTimeoutMs, isWriting: false };
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => createSqliteDriver(connections),
      createQueryCompiler: () => new FixedPlanCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createAdapter: () => createAdapter(),
    },
  });
  return { db, direct: createDirectStatements(connections) };
}

/**
 * Writes each parameter as `+?`, which has the same value as `?`. SQLite may choose a plan for the value of a plain `?`.
 * It then plans the statement again for each new value. Planning can take ten times as long as running the statement.
 * With `+?`, SQLite plans each statement once. See https://www.sqlite.org/c3ref/prepare.html.
 *
 * So no plan depends on a value. A condition that must match the condition of a partial index needs a literal (`sql.lit`).
 */
class FixedPlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/** Another process may remove the file at any moment. */
function chmodIfThere(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Opens an existing database only to read it: without changing its mode, its journal or its schema. */
export function openSqliteUnchanged(file: string): Kysely<Tables> {
  // This does not use the option `readonly`, because a read-only connection would leave the journal's files behind.
  // These files would belong to the user of this process, who may not be the user of the daemon.
  const database = new Database(file, { fileMustExist: true, timeout: 1000 });
  database.pragma('query_only = on');
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}

/**
 * Returns an adapter that tells Kysely two things: SQLite can roll back a migration, and Kysely may use several
 * connections, because the driver itself makes writes take turns.
 */
function createAdapter(): SqliteAdapter {
  const adapter = new SqliteAdapter();
  return Object.defineProperties(adapter, {
    supportsMultipleConnections: { value: true },
    supportsTransactionalDdl: { value: true },
  });
}
