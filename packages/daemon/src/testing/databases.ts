import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import type { Logger } from '../deps.ts';
import { openStore, type StoreOptions } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { administerPostgres } from './administer-postgres.ts';
import { copyMigratedSqlite } from './migrated-sqlite.ts';
import { createMigratedPostgres } from './migrated-postgres.ts';

/** A database that belongs to one test. */
export interface TestDatabase {
  /** The open database, migrated and empty. */
  store: Store;
  /** The options for another daemon on the same database. */
  options: Pick<StoreOptions, 'dataDir' | 'databaseUrl'>;
  /** Opens the same database again, like another process. */
  openAnother(): Promise<Store>;
  /** Closes everything that was opened and removes the database. */
  dispose(): Promise<void>;
}

export interface TestDatabaseKind {
  name: Store['dialect']['name'];
  open: () => Promise<TestDatabase>;
}

/** For `describe.each(databases)`: SQLite, and a real PostgreSQL, which is started once for each test run. */
export const databases: readonly TestDatabaseKind[] = [
  {
    name: 'sqlite',
    async open() {
      const dataDir = await mkdtemp(join(tmpdir(), 'uptime-'));
      await copyMigratedSqlite(dataDir);
      return opened({ dataDir }, () => rm(dataDir, { recursive: true, force: true }));
    },
  },
  {
    name: 'postgres',
    async open() {
      const address = await postgresAddress();
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      const databaseUrl = await createMigratedPostgres(address, name);
      return opened({ dataDir: tmpdir(), databaseUrl }, () =>
        administerPostgres(address, `drop database ${name} with (force)`),
      );
    },
  },
];

async function opened(options: TestDatabase['options'], remove: () => Promise<void>): Promise<TestDatabase> {
  const stores: Store[] = [];
  const openAnother = async () => {
    const store = await openStore({ ...options, statementLimitMs, log: silent });
    stores.push(store);
    return store;
  };
  return {
    store: await openAnother(),
    options,
    openAnother,
    async dispose() {
      await Promise.all(stores.map((store) => store.close()));
      await remove();
    },
  };
}

/** On a busy machine, a statement may take longer than the default limit. No test waits for this limit. */
const statementLimitMs = 50_000;

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

async function postgresAddress(): Promise<string> {
  const answer = JSON.parse(await text(connect(inject('postgresSocket')))) as { url?: string; error?: string };
  if (answer.url === undefined) throw new Error(`PostgreSQL did not start. ${answer.error}`);
  return answer.url;
}
