import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';
import { boundMs } from '../testing/bound-ms.ts';

const { open } = databases.find(({ name }) => name === 'postgres')!;

/** The time limit of a statement in these tests. Even on a busy machine, PostgreSQL answers in this time. */
const statementLimitMs = 3000;

describe('the store on PostgreSQL behind a failing network', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let store: Store;
  let databaseUrl: string;
  beforeEach(async () => {
    database = await open();
    const direct = new URL(database.options.databaseUrl!);
    proxy = await startTcpProxy(`${direct.searchParams.get('host')}/.s.PGSQL.5432`);
    databaseUrl = `postgres://postgres@127.0.0.1:${proxy.port}${direct.pathname}`;
    store = await openStore({ ...database.options, databaseUrl, statementLimitMs, log: silentLog });
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
    await database.dispose();
  });

  const add = (monitor: number) => store.write((trx) => trx.insertInto('purge').values({ monitor }).execute());
  const ping = () => sql`select pg_sleep(0.02)`.execute(store.db);

  it('gives up a statement lost on a half-open connection, and connects again', async () => {
    await Promise.all([ping(), ping(), ping()]);
    proxy.swallow();
    const begunMonoMs = performance.now();
    await expect(add(1)).rejects.toMatchObject({ code: 'unavailable', message: 'The database does not answer.' });
    // setTimeout may fire up to 1 ms early.
    expect(performance.now() - begunMonoMs).toBeGreaterThan(statementLimitMs - 2);
    proxy.heal();
    // The other two connections are dead too, and the pool uses neither of them.
    for (const monitor of [2, 3, 4]) await add(monitor);
    expect(await store.db.selectFrom('purge').select('monitor').execute()).toHaveLength(3);
  });

  it('accepts an answer that arrived while this process stalled for longer than the limit', async () => {
    await ping();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const arrived = proxy.hold();
      const answer = sql<{ one: number }>`select 1 as one`.execute(store.db);
      const handOn = await arrived;
      // This is the situation after a stall: the answer is in the socket, and the timer fires before the answer is
      // read.
      handOn();
      vi.advanceTimersByTime(statementLimitMs);
      expect((await answer).rows).toEqual([{ one: 1 }]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives up a connection that hangs in the middle of a transaction', async () => {
    const hung = store.write(async (trx) => {
      await trx.insertInto('purge').values({ monitor: 1 }).execute();
      proxy.swallow();
      await trx.insertInto('purge').values({ monitor: 2 }).execute();
    });
    await expect(hung).rejects.toMatchObject({ code: 'unavailable' });
    proxy.heal();
    await add(3);
    expect(await store.db.selectFrom('purge').select('monitor').execute()).toEqual([{ monitor: 3 }]);
  });

  it('sets limits, so that the server ends a session that idles in the middle of a transaction', async () => {
    const { rows } = await sql<{ limit: string; idle: string }>`
      select current_setting('statement_timeout') as limit,
        current_setting('idle_in_transaction_session_timeout') as idle`.execute(store.db);
    expect(rows).toEqual([{ limit: '3s', idle: '3s' }]);
  });

  it('discards sessions that became read-only, so that only one write fails', async () => {
    await Promise.all([ping(), ping(), ping(), ping()]);
    const sessions = proxy.accepted();
    const demote = () => sql`set default_transaction_read_only = on`.execute(store.db).then(ping);
    await Promise.all([demote(), demote(), demote(), demote()]);
    expect(proxy.accepted()).toBe(sessions);
    await expect(add(1)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The database is read-only: it may be a standby.',
    });
    for (const monitor of [2, 3, 4, 5]) await add(monitor);
    expect(proxy.accepted()).toBe(sessions + 1);
  });

  it('connects again after a lost connection, and works over a slow network', async () => {
    await ping();
    const cut = store.write(async (trx) => {
      proxy.cut();
      await trx.insertInto('purge').values({ monitor: 1 }).execute();
    });
    await expect(cut).rejects.toMatchObject({ code: 'unavailable' });
    proxy.delay(40);
    await add(2);
    expect(await store.db.selectFrom('purge').select('monitor').execute()).toEqual([{ monitor: 2 }]);
  });

  it('closes soon, even if the network drops all packets', async () => {
    await Promise.all([ping(), ping()]);
    proxy.swallow();
    const begunMonoMs = performance.now();
    await store.close();
    expect(performance.now() - begunMonoMs).toBeLessThan(boundMs(10_000));
  });

  it('fails at the start with an error that names the host, the fault and the next step', async () => {
    const openAt = (address: string) => openStore({ ...database.options, databaseUrl: address, log: silentLog });
    const dead = await startTcpProxy('/nowhere');
    await dead.close();
    const at = `127.0.0.1:${dead.port}`;
    await expect(openAt(`postgres://ada:hush@${at}/x`)).rejects.toThrow(
      `PostgreSQL at ${at} accepts no connections (ECONNREFUSED). Start it, or correct host and port in UPTIME_DATABASE_URL.`,
    );
    const here = `127.0.0.1:${proxy.port}`;
    await expect(openAt(`postgres://postgres:hush@${here}/nothing`)).rejects.toThrow(
      `PostgreSQL at ${here} has no database nothing. Create it there: \`createdb --owner=postgres nothing\`.`,
    );
    await expect(openAt(`postgres://ada:hush@${here}/nothing`)).rejects.toThrow(
      `PostgreSQL at ${here} refuses the user ada: role "ada" does not exist.`,
    );
    await expect(openAt('postgres://ada:hush@nowhere.invalid/x')).rejects.toThrow(
      /^PostgreSQL at nowhere\.invalid:5432 has an unknown host name \((ENOTFOUND|EAI_AGAIN)\)/,
    );
  });
});
