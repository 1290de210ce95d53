import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { administerPostgres } from './administer-postgres.ts';
import { partitionsOfResults, removePartitions } from './partitioned-postgres.ts';
import { passingCheck } from './passing-check.ts';
import type { PooledDatabase, PooledDatabaseKind } from './pooled-postgres.ts';
import { projectRow } from './rows.ts';
import { createTestDaemon, silentLog } from './test-daemon.ts';
import { dayMs } from '../core/uptime.ts';
import { openStore } from '../store/open-store.ts';
import {
  dropPartitions,
  firstPartition,
  makePartitions,
  otherPartition,
  readPartitions,
} from '../store/result-partitions.ts';
import type { Store } from '../store/store.ts';

/** Defines tests of a database behind a pooler in transaction mode. The pooler has two sessions for this database. */
export function testBehindPooler(pooled: PooledDatabaseKind): void {
  let database: PooledDatabase;
  beforeEach(async () => {
    database = await pooled.open();
  });
  afterEach(() => database.dispose());
  testSettings(() => database);
  testTransactions(() => database);
  testPartitions(() => database);
  testDaemon(pooled);
}

function testSettings(opened: () => PooledDatabase): void {
  const settings = (db: Pick<Store, 'db'>['db']) =>
    sql<{ limit: string; idle: string; cost: string }>`
      select current_setting('statement_timeout') as limit, current_setting('random_page_cost') as cost,
        current_setting('idle_in_transaction_session_timeout') as idle`
      .execute(db)
      .then(({ rows }) => rows[0]);

  it('the store runs each statement with its own settings', async () => {
    const { store } = opened();
    const ours = { limit: '10s', idle: '10s', cost: '1.1' };
    // The number of statements exceeds the number of sessions of the pooler.
    const single = await Promise.all(Array.from({ length: 8 }, () => settings(store.db)));
    expect(single).toEqual(single.map(() => ours));
    for (const durable of [true, false]) expect(await store.write(settings, { durable })).toEqual(ours);
  });

  it('the store leaves none of its settings in the sessions that other programs get', async () => {
    const { store, options } = opened();
    for (const durable of [true, false]) await store.write(settings, { durable });
    await Promise.all([settings(store.db), settings(store.db)]);
    const others = [1, 2].map(() => new Client({ connectionString: options.databaseUrl }));
    // Both clients keep a transaction open, so that the pooler gives each of them a session of its own.
    for (const other of others) {
      await other.connect();
      await other.query('begin');
    }
    const seen = new Set<number>();
    for (const other of others) {
      const { rows } = await other.query<{ pid: number; settings: string }>(`
        select pg_backend_pid() as pid, concat_ws(' ', current_setting('statement_timeout'),
          current_setting('random_page_cost'), current_setting('synchronous_commit')) as settings`);
      expect(rows[0]!.settings).toBe('0 4 on');
      seen.add(rows[0]!.pid);
      await other.end();
    }
    expect(seen.size).toBe(2);
  });
}

function testTransactions(opened: () => PooledDatabase): void {
  it('the store reports the error of a single statement, and runs the next statement', async () => {
    const { store } = opened();
    const add = () => store.db.insertInto('project').values(projectRow('a')).execute();
    await add();
    for (let time = 0; time < 3; time++) await expect(add()).rejects.toMatchObject({ code: '23505' });
    expect(await store.db.selectFrom('project').select('id').execute()).toEqual([{ id: 'a' }]);
  });

  it('the store does not mix transactions that run at once', async () => {
    const database = opened();
    const { store } = database;
    await store.db.insertInto('project').values(projectRow('a')).execute();
    const another = await database.openAnother();
    await Promise.all(Array.from({ length: 12 }, (_, at) => increment(at % 2 === 0 ? store : another)));
    expect(await store.db.selectFrom('project').select('updated_at').execute()).toEqual([{ updated_at: 12 }]);
  });

  it('an empty database is migrated when two stores open it at once', async () => {
    const { options, directUrl } = opened();
    const name = `empty_${randomUUID().replaceAll('-', '')}`;
    await administerPostgres(directUrl, `create database ${name}`);
    const databaseUrl = options.databaseUrl!.replace(/[^/]+$/, name);
    const stores = await Promise.all([1, 2].map(() => openStore({ ...options, databaseUrl, log: silentLog })));
    for (const one of stores) {
      expect(await one.db.selectFrom('monitor').select('seq').execute()).toEqual([]);
      await one.close();
    }
    await administerPostgres(directUrl, `drop database ${name} with (force)`);
  });
}

function testPartitions(opened: () => PooledDatabase): void {
  it('several nodes make and drop partitions of results at once without errors', async () => {
    const database = opened();
    const { store } = database;
    const another = await database.openAnother();
    const today = (Math.floor(Date.now() / dayMs) + 10) * dayMs;
    const stores = [store, another, store, another];
    await Promise.all(stores.map((one) => makePartitions(one, today, 30)));
    await makePartitions(store, today, 30);
    expect(await readPartitions(store.db)).toHaveLength(8);
    await Promise.all(stores.map((one) => dropPartitions(one, today + 3 * dayMs)));
    await dropPartitions(store, today + 3 * dayMs);
    expect(await readPartitions(store.db)).toHaveLength(5);
  });

  it('the table of results is upgraded to partitions when two stores open the database at once', async () => {
    const database = opened();
    const { store } = database;
    await removePartitions(store);
    const late = Date.now() + 30 * dayMs;
    for (const at of [1, late])
      await store.db.insertInto('result').values({ monitor: 1, at, region: 1, code: 0, tenths: 1 }).execute();
    await Promise.all([database.openAnother(), database.openAnother()]);
    expect(await partitionsOfResults(store)).toEqual([firstPartition, otherPartition]);
  });
}

function testDaemon(pooled: PooledDatabaseKind): void {
  it('two nodes behind a pooler record a check and a ping', async () => {
    const daemon = await createTestDaemon({
      world: { database: pooled, nodes: 2 },
      runCheck: passingCheck,
    });
    const create = async (fields: object) =>
      (await daemon.request('POST', '/api/monitors', { name: 'm', ...fields })).body as { id: string; pingUrl: string };
    const site = await create({ type: 'http', url: 'http://127.0.0.1:9/', interval: 1 });
    const job = await create({ type: 'heartbeat' });
    expect((await fetch(job.pingUrl, { method: 'POST' })).status).toBe(200);
    await vi.waitFor(async () => {
      for (const { id } of [site, job])
        expect((await daemon.request('GET', `/api/monitors/${id}`)).body).toMatchObject({ status: 'up' });
    }, 60_000);
    const { body } = await daemon.request('GET', `/api/monitors/${site.id}/response-times`);
    expect(body).not.toEqual([]);
    await daemon.close();
  });
}

const increment = (store: Store) =>
  store.write(async (trx) => {
    const row = await trx.selectFrom('project').select('updated_at').executeTakeFirstOrThrow();
    const updated = { updated_at: row.updated_at + 1 };
    await trx.updateTable('project').set(updated).execute();
  });
