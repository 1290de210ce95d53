import { expect, test } from 'vitest';
import { checkout, createPlans, submit } from '../testing/billing.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';

test('no one can pay for a plan that was deleted after the checkout began', async () => {
  const daemon = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_BILLING: 'sandbox' } });
  try {
    const limits = { monitors: 1, checkInterval: 60, regions: 1 };
    const [plan] = await createPlans(daemon, [{ name: 'Gone', ...limits, price: 5 }]);
    const asUser = { cookie: daemon.cookie };
    const url = await checkout(daemon, plan!.id, asUser);
    expect((await fetch(url)).status).toBe(200);
    await daemon.request('DELETE', `/api/billing/plans/${plan!.id}`, undefined, asUser);
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('No such payment')]);
    expect((await submit(url, { action: 'pay', card: '4242424242424242' })).status).toBe(404);
    const { body } = await daemon.request('GET', '/api/billing/subscription', undefined, asUser);
    expect(body).toMatchObject({ planId: 'pln_self_hosted' });
  } finally {
    await daemon.close();
  }
});
