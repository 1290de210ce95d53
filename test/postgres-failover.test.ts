import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { boundMs } from '../packages/daemon/src/testing/bound-ms.ts';
import { databases } from '../packages/daemon/src/testing/databases.ts';
import { httpTarget, type HttpTarget } from '../packages/daemon/src/testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../packages/daemon/src/testing/test-daemon.ts';

const database = databases.find(({ name }) => name === 'postgres')!;
let target: HttpTarget;
let daemon: TestDaemon;
beforeAll(async () => {
  target = await httpTarget();
  daemon = await createTestDaemon({ database });
});
afterAll(async () => {
  await daemon.close();
  await target.close();
});

const create = () =>
  daemon.request('POST', '/api/monitors', { type: 'http', name: 'm', url: target.url, interval: 1, timeout: 5 });

/** Expects that within 10 s the daemon answers requests, runs checks, and reports health with 200. */
async function works() {
  await vi.waitFor(async () => expect((await create()).status).toBe(201), { timeout: boundMs(10_000) });
  const requestsBefore = target.requests.length;
  await vi.waitFor(() => expect(target.requests.length).toBeGreaterThan(requestsBefore + 1), {
    timeout: boundMs(10_000),
  });
  await vi.waitFor(async () => expect((await daemon.request('GET', '/healthz')).status).toBe(200), {
    timeout: boundMs(10_000),
  });
}

test('after a failover that leaves every session read-only, a daemon writes again within 10 s', async () => {
  await works();
  const demote = () =>
    sql`set default_transaction_read_only = on`
      .execute(daemon.store.db)
      .then(() => sql`select pg_sleep(0.05)`.execute(daemon.store.db));
  await Promise.all(Array.from({ length: 20 }, demote));
  await works();
});

test('after PostgreSQL ended every session, a daemon connects again', async () => {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(daemon.store.db);
  await works();
});
