import { afterAll, beforeAll, expect, test } from 'vitest';
import { passingCheck } from '../../../../daemon/src/testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../../testing/account.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
});
afterAll(() => daemon.close());

test('monitors history --of checks shows the checks of all regions, and --region only those of one region', async () => {
  await using session = await openAccount(daemon, 'history');
  const create = ['monitors', 'create', '--name', 'Shop', '--key', 'shop', '--type', 'http', '--paused'];
  const { stdout } = await session.uptime([...create, '--url', 'http://127.0.0.1:1/', '--json']);
  const { id } = JSON.parse(stdout) as { id: string };
  const { db } = daemon.store;
  const monitor = (await db.selectFrom('monitor').select('seq').where('id', '=', id).executeTakeFirstOrThrow()).seq;
  const asia = { name: 'asia', seen_at: Date.now(), retired_at: null };
  const { id: other } = await db.insertInto('region').values(asia).returning('id').executeTakeFirstOrThrow();
  const { id: own } = await db
    .selectFrom('region')
    .select('id')
    .where('name', '=', 'default')
    .executeTakeFirstOrThrow();
  const at = Date.now() - 3_600_000;
  const results = [own, own, other].map((region, second) => ({
    monitor,
    at: at + second * 1000,
    region,
    code: 1,
    tenths: 5,
  }));
  await db.insertInto('result').values(results).execute();

  const regionsOf = async (...flags: string[]) => {
    const shown = await session.uptime(['monitors', 'history', 'shop', '--of', 'checks', ...flags, '--json']);
    return (JSON.parse(shown.stdout) as { region: string }[]).map(({ region }) => region).toSorted();
  };
  expect(await regionsOf()).toEqual(['asia', 'default', 'default']);
  expect(await regionsOf('--region', 'asia')).toEqual(['asia']);
  expect(await regionsOf('--region', 'nowhere')).toEqual([]);
});
