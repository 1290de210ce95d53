import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { databases, type TestDatabase, type TestDatabaseKind } from './databases.ts';

const direct = databases.find(({ name }) => name === 'postgres')!;

/** A connection pooler in front of a PostgreSQL, on loopback. */
export interface Pooler {
  port: number;
  close(): Promise<void>;
}

export interface PooledDatabase extends TestDatabase {
  /** The address of the database without the pooler. */
  directUrl: string;
}

export interface PooledDatabaseKind extends TestDatabaseKind {
  open: () => Promise<PooledDatabase>;
}

/** A real PostgreSQL behind a pooler. `startPooler` gets the folder of PostgreSQL's Unix socket. */
export const pooledPostgres = (startPooler: (socketFolder: string) => Promise<Pooler>): PooledDatabaseKind => ({
  name: 'postgres',
  async open() {
    const database = await direct.open();
    const directUrl = new URL(database.options.databaseUrl!);
    const pooler = await startPooler(directUrl.searchParams.get('host')!);
    const databaseUrl = `postgres://postgres@127.0.0.1:${pooler.port}${directUrl.pathname}`;
    const options = { ...database.options, databaseUrl };
    const stores: Store[] = [];
    const openAnother = async () => {
      const store = await openStore({ ...options, log: { debug() {}, info() {}, warn() {}, error() {} } });
      stores.push(store);
      return store;
    };
    return {
      store: await openAnother(),
      options,
      directUrl: directUrl.href,
      openAnother,
      async dispose() {
        await Promise.all(stores.map((store) => store.close()));
        await pooler.close();
        await database.dispose();
      },
    };
  },
});
