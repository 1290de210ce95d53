import { afterAll, beforeAll, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { createTestDaemon, type TestAnswer, type TestDaemon } from '../testing/test-daemon.ts';
import { waitingTime } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

const { open } = databases.find(({ name }) => name === 'postgres')!;

let database: TestDatabase;
let proxy: TcpProxy;
let daemon: TestDaemon;
beforeAll(async () => {
  database = await open();
  const direct = new URL(database.options.databaseUrl!);
  proxy = await startTcpProxy(`${direct.searchParams.get('host')}/.s.PGSQL.5432`);
  const env = { UPTIME_DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}${direct.pathname}` };
  daemon = await createTestDaemon({ env, runCheck: passingCheck });
});
afterAll(async () => {
  await daemon.close();
  await proxy.close();
  await database.dispose();
});

const ask = async (apiKey: string | null) => {
  let answer: TestAnswer | undefined;
  const ms = await waitingTime(async () => {
    answer = await daemon.request('GET', '/healthz', undefined, { apiKey });
  });
  return { status: answer?.status, body: answer?.body, ms };
};

test('`/healthz` answers within a second while PostgreSQL does not answer, and tells the operator the cause', async () => {
  expect(await ask(daemon.apiKey)).toMatchObject({ status: 200, body: { reason: null, warnings: [] } });
  proxy.swallow();
  for (const apiKey of [null, daemon.apiKey]) {
    const answer = await ask(apiKey);
    expect(answer.status).toBe(200);
    expect(answer.ms).toBeLessThan(boundMs(1000));
  }
  await expect.poll(async () => (await ask(null)).status, { timeout: 10_000, interval: 200 }).toBe(503);
  const stranger = await ask(null);
  const operator = await ask(daemon.apiKey);
  expect(Math.max(stranger.ms, operator.ms)).toBeLessThan(boundMs(1000));
  expect(stranger.body).not.toHaveProperty('reason');
  expect(operator.body).toMatchObject({
    reason: 'The store accepts no writes.',
    warnings: ['The store did not answer in time, so some warnings may be missing.'],
  });

  proxy.heal();
  proxy.cut();
  await expect.poll(async () => (await ask(null)).status, { timeout: 15_000, interval: 200 }).toBe(200);
});
