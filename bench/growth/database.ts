import { openStore } from '../../packages/daemon/src/store/open-store.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { type PostgresServer, startPostgres } from '../../packages/daemon/src/testing/postgres-server.ts';
import { selectUnfolded } from '../../packages/daemon/src/store/recent-results.ts';
import { sql } from 'kysely';

const log = { debug() {}, info() {}, warn: console.warn, error: console.error };

/** The timeout of a statement. It is long, because one statement may store a million rows. */
const bulkLimitMs = 600_000;

/** A new database for the measured daemons. */
export interface Database {
  /** The settings with which a daemon uses this database, as environment variables. */
  env: Record<string, string>;
  /** The process of the PostgreSQL server, the parent of all its processes; null on SQLite. */
  serverPid: number | null;
  /** Opens the database in this process while `work` runs. On SQLite, no daemon may run at the same time. */
  use<T>(work: (store: Store) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openDatabase(kind: Store['dialect']['name'], dataDir: string): Promise<Database> {
  if (kind === 'postgres') return databaseOn(await startPostgres({ sync: true }), dataDir);
  return { env: {}, serverPid: null, use: (work) => using({ dataDir }, work), close: async () => {} };
}

/** Returns the database of a running server. `close` stops the server. */
export function databaseOn(server: PostgresServer, dataDir: string): Database {
  const databaseUrl = server.url('postgres');
  return {
    env: { UPTIME_DATABASE_URL: databaseUrl, UPTIME_SECRET_KEY: 'x'.repeat(40) },
    serverPid: server.pid,
    use: (work) => using({ dataDir, databaseUrl }, work),
    close: () => server.stop(),
  };
}

async function using<T>(place: { dataDir: string; databaseUrl?: string }, work: (store: Store) => Promise<T>) {
  const store = await openStore({ ...place, log, statementLimitMs: bulkLimitMs });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Counts the results between two times, in epoch milliseconds. */
export async function countResults(store: Store, from: number, until: number): Promise<number> {
  const recent = selectUnfolded(store.db, 'results').where('recent.at', '>=', from).where('recent.at', '<', until);
  const moved = store.db.selectFrom('result').where('at', '>=', from).where('at', '<', until);
  const counts = [
    await recent.clearSelect().select(countAll).executeTakeFirstOrThrow(),
    await moved.select(countAll).executeTakeFirstOrThrow(),
  ];
  return counts.reduce((sum, { n }) => sum + n, 0);
}

const countAll = sql<number>`count(*)`.as('n');
