import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { planRules, selfHosted, selfHostedInPublic } from './account-plan.ts';
import { fitAccounts } from './fit-account.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
});
afterAll(() => daemon.close());

test('a change to public mode pauses monitors beyond the limits of that mode, and a change back resumes them', async () => {
  const tenant = await daemon.another('tenant');
  const paused = async (apiKey: string) =>
    (
      (await daemon.request('GET', '/api/monitors', undefined, { apiKey })).body as { pausedReason: string | null }[]
    ).map(({ pausedReason }) => pausedReason);
  for (const { apiKey } of [daemon, tenant])
    for (const name of ['a', 'b', 'c'])
      await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name }, { apiKey });

  const inPublic = planRules({ charged: false, mode: 'public' });
  expect(inPublic.unpaid).toBe(selfHostedInPublic);
  const rules = { ...inPublic, unpaid: { ...inPublic.unpaid, monitors: 2 } };
  expect(await fitAccounts(daemon.store, rules, Date.now)).toEqual({ monitors: 1, accounts: 1 });
  expect(await paused(tenant.apiKey)).toEqual([null, null, 'plan']);
  // The operator's own account has no limits.
  expect(await paused(daemon.apiKey)).toEqual([null, null, null]);
  expect(await fitAccounts(daemon.store, rules, Date.now)).toEqual({ monitors: 0, accounts: 0 });

  const inPrivate = planRules({ charged: false, mode: 'private' });
  expect(inPrivate.unpaid).toBe(selfHosted);
  expect(await fitAccounts(daemon.store, inPrivate, Date.now)).toEqual({ monitors: 0, accounts: 0 });
  expect(await paused(tenant.apiKey)).toEqual([null, null, null]);
});

test('a start in public mode says how many monitors it paused', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', format: 'json', write: (line) => void lines.push(line) });
  const env = { UPTIME_MODE: 'public', UPTIME_SIGNUP: 'open', UPTIME_RATE_LIMIT: 'on' };
  const busy = await createTestDaemon({ log, runCheck: passingCheck, env });
  try {
    const tenant = await busy.another('tenant');
    const made = await busy.request(
      'POST',
      '/api/monitors',
      { type: 'heartbeat', name: 'x' },
      {
        apiKey: tenant.apiKey,
      },
    );
    const { id } = made.body as { id: string };
    const { db } = busy.store;
    const {
      seq: _,
      token: __,
      ...row
    } = await db.selectFrom('monitor').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const { monitor: ___, ...state } = await db.selectFrom('monitor_state').selectAll().executeTakeFirstOrThrow();
    // Gives the account 1,001 monitors, one more than public mode allows, as if it had created them before the limits
    // existed.
    for (let from = 0; from < 1000; from += 100) {
      const rows = Array.from({ length: 100 }, (____, at) => ({ ...row, id: `mon_old${from + at}` }));
      const seqs = await db.insertInto('monitor').values(rows).returning('seq').execute();
      await db
        .insertInto('monitor_state')
        .values(seqs.map(({ seq }) => ({ ...state, monitor: seq })))
        .execute();
    }
    await busy.restart();
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        monitors: 1,
        accounts: 1,
        message: 'paused monitors beyond the limits of their accounts',
      }),
    );
  } finally {
    await busy.close();
  }
});
