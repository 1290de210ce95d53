import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addHeavyMonitors, heavySizes, longestTurn } from '../testing/heavy-monitors.ts';
import { boundTurnMs } from '../testing/bound-ms.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { planRules } from './account-plan.ts';
import { fitAccount } from './fit-account.ts';

describe.each(heavySizes)('with $count monitors of $kilobytes KB', (size) => {
  let daemon: TestDaemon;

  beforeAll(async () => {
    daemon = await createTestDaemon({ runCheck: passingCheck });
    // The operator's own account has no limits.
    const { apiKey } = await daemon.another('tenant');
    await addHeavyMonitors(daemon, size, apiKey);
  });
  afterAll(() => daemon.close());

  const rules = planRules({ charged: false, mode: 'private' });
  const fit = async (monitors: number) => {
    const { store } = daemon;
    const { user_id: user } = await store.db
      .selectFrom('monitor')
      .innerJoin('project', 'project.id', 'monitor.project_id')
      .select('user_id')
      .executeTakeFirstOrThrow();
    const limited = { ...rules, unpaid: { ...rules.unpaid, monitors } };
    return store.write((trx) => fitAccount(trx, user, { rules: limited, now: Date.now() }));
  };
  const running = async () => {
    const rows = await daemon.store.db.selectFrom('monitor').select('plan_paused').orderBy('seq').execute();
    return rows.map((row) => row.plan_paused === 0);
  };

  test('fitting the monitors to a plan blocks the event loop for less than 50 ms at a time', async () => {
    expect(await longestTurn(() => fit(size.count))).toBeLessThan(boundTurnMs());
    expect(await running()).not.toContain(false);
    expect(
      await longestTurn(async () => {
        await fit(size.count);
        await fit(10);
      }),
    ).toBeLessThan(boundTurnMs());
    // The oldest monitors still run.
    expect(await running()).toEqual(Array.from({ length: size.count }, (_, at) => at < 10));
  });
});
