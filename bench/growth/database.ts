import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../packages/daemon/src/store/open-store.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { startPostgres } from '../../packages/daemon/src/testing/postgres-server.ts';
import { selectUnfolded } from '../../packages/daemon/src/store/recent-results.ts';
import { sql } from 'kysely';

const log = { debug() {}, info() {}, warn: console.warn, error: console.error };

/** The timeout of a statement, because one statement may store a million rows. */
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
  const using = async <T>(databaseUrl: string | undefined, work: (store: Store) => Promise<T>) => {
    const store = await openStore({ dataDir, databaseUrl, log, statementLimitMs: bulkLimitMs });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  if (kind === 'sqlite')
    return { env: {}, serverPid: null, use: (work) => using(undefined, work), close: async () => {} };
  const server = await startPostgres({ sync: true });
  const url = server.url('postgres');
  const folder = new URL(url).searchParams.get('host')!;
  return {
    env: { UPTIME_DATABASE_URL: url, UPTIME_SECRET_KEY: 'x'.repeat(40) },
    serverPid: Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]),
    use: (work) => using(url, work),
    close: () => server.stop(),
  };
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
