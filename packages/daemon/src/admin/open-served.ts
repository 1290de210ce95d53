import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { createProcessLog } from '../log.ts';
import { openStore } from '../store/open-store.ts';
import { openPostgres } from '../store/postgres.ts';
import { postgresDialect } from '../store/postgres-dialect.ts';
import { openSqlite, sqliteFile } from '../store/sqlite.ts';
import { sqliteDialect } from '../store/sqlite-dialect.ts';
import type { Store } from '../store/store.ts';
import { AdminError } from './users.ts';

/** Opens a database that a daemon has used. A mistyped folder or address must not become a new, empty database. */
export async function openServed({ dataDir, databaseUrl }: Config): Promise<Store> {
  if (databaseUrl === null && !existsSync(sqliteFile(dataDir))) throw neverServed(dataDir);
  const log = createProcessLog('error', null);
  // Opening the store creates its tables, so look for them first.
  const [db, dialect] =
    databaseUrl === null
      ? [(await openSqlite({ dataDir, log })).db, sqliteDialect]
      : [openPostgres({ databaseUrl, log }), postgresDialect];
  try {
    if (!(await dialect.hasTable(db, 'monitor_state'))) throw neverServed('this database');
  } finally {
    await db.destroy();
  }
  return openStore({ databaseUrl: databaseUrl ?? undefined, dataDir, log });
}

const neverServed = (where: string) =>
  new AdminError(
    `No daemon has used ${where} yet. Start a daemon first, or name another place with --data-dir, UPTIME_DATA_DIR or UPTIME_DATABASE_URL.`,
  );
