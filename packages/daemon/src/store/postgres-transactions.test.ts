import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { openStore } from './open-store.ts';
import { inOneTrip, prepare, prepareForRows } from './prepared.ts';
import type { Store } from './store.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

const { open } = databases.find(({ name }) => name === 'postgres')!;

/** Half of a round trip. */
const delayMs = 60;

let database: TestDatabase;
let proxy: TcpProxy;
let store: Store;
beforeEach(async () => {
  database = await open();
  const direct = new URL(database.options.databaseUrl!);
  proxy = await startTcpProxy(`${direct.searchParams.get('host')}/.s.PGSQL.5432`);
  const databaseUrl = `postgres://postgres@127.0.0.1:${proxy.port}${direct.pathname}`;
  store = await openStore({ ...database.options, databaseUrl, log: silentLog });
});
afterEach(async () => {
  await store.close();
  await proxy.close();
  await database.dispose();
});

const settings = (durable: boolean) =>
  store.write(
    async (trx) => {
      const { rows } = await sql<{ sync: string; isolation: string }>`
        select current_setting('synchronous_commit') as sync,
          current_setting('transaction_isolation') as isolation`.execute(trx);
      return rows[0];
    },
    { durable },
  );

it('only the commit of a durable transaction waits for the disk', async () => {
  expect(await settings(false)).toEqual({ sync: 'off', isolation: 'read committed' });
  expect(await settings(true)).toEqual({ sync: 'on', isolation: 'repeatable read' });
});

it('a transaction that is not durable is undone if it throws, even before its first statement', async () => {
  const add = (work: () => Promise<void>) =>
    store.write(
      async (trx) => {
        await trx.insertInto('purge').values({ monitor: 1 }).execute();
        await work();
      },
      { durable: false },
    );
  const fail = async () => Promise.reject(new Error('no'));
  await expect(add(fail)).rejects.toThrow('no');
  await expect(store.write(fail, { durable: false })).rejects.toThrow('no');
  expect(await store.db.selectFrom('purge').selectAll().execute()).toEqual([]);
});

it('the store sends statements in one round trip if they do not wait for each other', async () => {
  const add = prepareForRows<{ monitor: number }, unknown>(store, { monitor: 'long' }, (db, given) =>
    db.insertInto('purge').columns(['monitor']).expression(db.selectFrom(given).selectAll()),
  );
  const count = prepare(store, (db) => db.selectFrom('purge').select((row) => row.fn.countAll<number>().as('n')));
  const addAll = (from: number) =>
    store.write(
      (trx) =>
        inOneTrip(store, trx, (trip) =>
          Promise.all([add(trip, [{ monitor: from }]), add(trip, [{ monitor: from + 1 }]), count(trip, {})]),
        ),
      { durable: false },
    );
  await addAll(1);
  proxy.delay(delayMs);
  const waiting = startWaiting();
  const [, , counted] = await addAll(3);
  // There are two round trips of 120 ms: one for the statements, one for the commit. Five trips would take 600 ms.
  expect(waiting.ms()).toBeLessThan(boundMs(7 * delayMs));
  expect(counted).toEqual([{ n: 4 }]);
});

it('if statements of one round trip fail, the caller gets the first failure', async () => {
  const add = prepareForRows<{ monitor: number }, unknown>(store, { monitor: 'long' }, (db, given) =>
    db.insertInto('purge').columns(['monitor']).expression(db.selectFrom(given).selectAll()),
  );
  const twice = store.write(
    (trx) => inOneTrip(store, trx, (trip) => Promise.all([1, 1, 2].map((monitor) => add(trip, [{ monitor }])))),
    { durable: false },
  );
  await expect(twice).rejects.toSatisfy(store.dialect.isUniqueViolation);
  expect(await store.db.selectFrom('purge').selectAll().execute()).toEqual([]);
});
