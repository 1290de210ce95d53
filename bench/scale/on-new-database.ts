import { openPostgres } from '../../packages/daemon/src/store/postgres.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { startPostgres } from '../../packages/daemon/src/testing/postgres-server.ts';
import { startStandby } from '../../packages/daemon/src/testing/postgres-standby.ts';
import { databaseOn } from '../growth/database.ts';
import type { Server } from './measure-replica.ts';

const log = { debug() {}, info() {}, warn: console.warn, error: console.error };

/** Runs `work` on the database of a new PostgreSQL server. The server writes to the disk as in production. */
export async function onNewDatabase<T>(
  folder: string,
  work: (store: Store, serverPid: number) => Promise<T>,
): Promise<T> {
  const server = await startPostgres({ sync: true });
  try {
    return await databaseOn(server, folder).use((store) => work(store, server.pid));
  } finally {
    await server.stop();
  }
}

/** Runs `work` on the database of a new PostgreSQL server that has a streaming replica. */
export async function withReplica<T>(
  folder: string,
  work: (store: Store, serverPid: number, replica: Server) => Promise<T>,
): Promise<T> {
  const primary = await startPostgres({ sync: true });
  try {
    const replica = await startStandby(primary, { sync: true });
    const db = openPostgres({ databaseUrl: replica.url('postgres'), log });
    try {
      return await databaseOn(primary, folder).use((store) => work(store, primary.pid, { db, pid: replica.pid }));
    } finally {
      await db.destroy();
      await replica.stop();
    }
  } finally {
    await primary.stop();
  }
}
