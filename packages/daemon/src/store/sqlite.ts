import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createSqliteDriver, createDirectStatements, type DirectStatements, patiently } from './sqlite-driver.ts';
import type { Tables } from './tables.ts';

export interface SqliteOptions {
  dataDir: string;
  /** The path of better-sqlite3's `.node` file, where it does not lie beside its package. */
  nativeBinding?: string | undefined;
  /** Milliseconds that a write waits for a locked database. */
  patience?: number | undefined;
}

/** The name of the database in the data folder. */
export const sqliteFile = (dataDir: string) => join(dataDir, 'uptime.db');

/** Opens, or makes, the database in the data folder: readable by its owner alone, like the folder if it makes it. */
export async function openSqlite({
  dataDir,
  nativeBinding,
  patience,
}: SqliteOptions): Promise<{ db: Kysely<Tables>; direct: DirectStatements }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = sqliteFile(dataDir);
  // SQLite gives its journal the mode of the database, which it would itself make readable to all.
  await (await open(file, 'a', 0o600)).close();
  await chmod(file, 0o600);
  // What a kill left behind keeps the mode that it had.
  for (const left of [`${file}-wal`, `${file}-shm`]) {
    await chmod(left, 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }

  const options = { timeout: 0, nativeBinding };
  const writer = new Database(file, options);
  let reader;
  try {
    // Before there are tables, or never: lets retention give room back to the disk.
    await patiently(() => writer.pragma('auto_vacuum = incremental'));
    await patiently(() => writer.pragma('journal_mode = wal'));
    reader = new Database(file, { ...options, readonly: true });
    for (const connection of [writer, reader]) {
      connection.pragma('synchronous = full');
      connection.pragma('foreign_keys = on');
      connection.pragma('cache_size = -16000');
      connection.pragma('temp_store = memory');
    }
    // 40 MB: a page that is written often is then carried over to the database once, not with every few commits.
    writer.pragma('wal_autocheckpoint = 10000');
    writer.pragma('journal_size_limit = 67108864');
  } catch (error) {
    reader?.close();
    writer.close();
    throw error;
  }

  const connections = { reader, writer, patience };
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => createSqliteDriver(connections),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createAdapter: () => createAdapter(),
    },
  });
  return { db, direct: { inTurn: createDirectStatements(writer), reading: createDirectStatements(reader) } };
}

/** The driver keeps writers apart by itself, and SQLite can roll back what a migration made. */
function createAdapter(): SqliteAdapter {
  const adapter = new SqliteAdapter();
  return Object.defineProperties(adapter, {
    supportsMultipleConnections: { value: true },
    supportsTransactionalDdl: { value: true },
  });
}
