import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planRules } from '../../plans/account-plan.ts';
import { fitAccounts } from '../../plans/fit-account.ts';
import { checkout, createPlans, submit } from '../../testing/billing.ts';
import { databases } from '../../testing/databases.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';
import { createBillingWorld, free, team, type Shown, pays } from '../../testing/billing-world.ts';

describe.each(databases)('billing on $name', (database) => {
  const world = createBillingWorld(database);

  const { someone, asUser, request, created, read, paused, subscription, toTeam, cancel } = world;

  test('everyone can list the plans, the oldest first, and a new account is on the free plan', async () => {
    await someone();
    const { body } = await world.daemon.request('GET', '/api/billing/plans', undefined, { apiKey: null });
    expect(body).toMatchObject([
      { id: world.plans[0]!.id, ...free, channels: 100 },
      { id: world.plans[1]!.id, ...team, channels: 100 },
    ]);
    // The account pays nothing, so the period of its subscription is the calendar month.
    const { planId, status, currentPeriodStart, currentPeriodEnd } = await subscription();
    expect([planId, status]).toEqual([world.plans[0]!.id, 'active']);
    const start = new Date(currentPeriodStart!);
    expect(start.toISOString()).toMatch(/-01T00:00:00\.000Z$/);
    expect(start.getTime()).toBeLessThanOrEqual(Date.now());
    start.setUTCMonth(start.getUTCMonth() + 1);
    expect(start.getTime()).toBeGreaterThan(Date.now());
    expect(currentPeriodEnd).toBe(start.toISOString());
  });

  test('only an admin creates, changes and deletes a plan', async () => {
    await someone();
    const path = `/api/billing/plans/${world.plans[1]!.id}`;
    for (const [method, at, body] of [
      ['POST', '/api/billing/plans', team],
      ['PATCH', path, { price: 1 }],
      ['DELETE', path, undefined],
    ] as const)
      expect((await world.daemon.request(method, at, body, asUser())).status).toBe(403);
    const admin = { cookie: world.daemon.cookie };
    const [made] = await createPlans(world.daemon, [{ ...team, name: 'Short-lived' }]);
    const own = `/api/billing/plans/${made!.id}`;
    const changed = await world.daemon.request('PATCH', own, { price: 7.5, monitors: 9 }, admin);
    expect(changed.body).toMatchObject({ ...team, id: made!.id, name: 'Short-lived', price: 7.5, monitors: 9 });
    expect((await world.daemon.request('PATCH', own, { channels: 7 }, admin)).body).toMatchObject({ channels: 7 });
    expect((await world.daemon.request('PATCH', own, { channels: null }, admin)).body).toMatchObject({ channels: 100 });
    expect((await world.daemon.request('PATCH', own, { price: 0.005 }, admin)).status).toBe(400);
    expect((await world.daemon.request('PATCH', own, { monitor: 1 }, admin)).body).toMatchObject({
      errors: [{ path: 'monitor' }],
    });
    expect((await world.daemon.request('DELETE', own, undefined, admin)).status).toBe(204);
    expect((await world.daemon.request('DELETE', own, undefined, admin)).status).toBe(404);
    expect((await world.daemon.request('PATCH', own, { price: 1 }, admin)).status).toBe(404);
  });

  test('a payment activates the plan; a cancellation pauses monitors beyond the free plan; a new payment resumes them', async () => {
    await someone();
    const page = await fetch(await checkout(world.daemon, world.plans[1]!.id, asUser()));
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('19.99 USD');
    const done = await toTeam();
    expect([done.status, done.headers.get('location')]).toEqual([303, '/checkout/success']);
    expect((await fetch(`${world.daemon.url}/checkout/success`)).status).toBe(200);
    const now = await subscription();
    expect(now).toMatchObject({ planId: world.plans[1]!.id, status: 'active' });
    expect(Date.parse(now.currentPeriodEnd!)).toBeGreaterThan(Date.now() + 29 * 86_400_000);

    const ids = [await created('fast', { interval: 10 }), await created('a'), await created('b'), await created('c')];
    await request('PATCH', `/api/monitors/${ids[1]!}`, { paused: true });
    await request('PATCH', `/api/monitors/${ids[1]!}`, { paused: false });
    expect(await paused(...ids)).toEqual([false, false, false, false]);
    await cancel();
    expect(await subscription()).toMatchObject({ planId: world.plans[1]!.id, status: 'canceled' });
    // For the free plan, the first monitor is checked too often, and the last monitor is one too many.
    expect(await paused(...ids)).toEqual([true, false, false, true]);
    expect(await read(ids[3]!)).toMatchObject({ paused: false, interval: 60 });

    const resumed = await request('PATCH', `/api/monitors/${ids[3]!}`, { paused: false });
    expect(resumed).toMatchObject({ status: 402, body: { errors: [{ path: '' }] } });
    expect((await request('POST', `/api/monitors/${ids[3]!}/check`)).status).toBe(409);
    // A monitor that exceeds the plan can be edited if the edit itself asks only for what the plan allows.
    expect((await request('PATCH', `/api/monitors/${ids[3]!}`, { name: 'renamed' })).status).toBe(200);
    expect((await request('PATCH', `/api/monitors/${ids[0]!}`, { name: 'fast still' })).status).toBe(200);
    expect(await paused(ids[3]!)).toEqual([true]);

    await toTeam();
    expect(await paused(...ids)).toEqual([false, false, false, false]);
    expect((await read(ids[3]!)).name).toBe('renamed');
  });

  test('after the payment, the user can cancel the subscription on the payment page', async () => {
    await someone();
    const url = await checkout(world.daemon, world.plans[1]!.id, asUser());
    await submit(url, { action: 'pay', card: pays });
    expect(await (await fetch(url)).text()).toMatch(/Already paid[^]*value="cancel"/);
    expect((await submit(url, { action: 'cancel' })).status).toBe(200);
    expect(await subscription()).toMatchObject({ status: 'canceled' });
    expect(await (await fetch(url)).text()).not.toContain('value="cancel"');
  });

  test('a payment with a declined card changes nothing, and the payment page says that the card was declined', async () => {
    await someone();
    const url = await checkout(world.daemon, world.plans[1]!.id, asUser());
    for (const [card, says] of [
      ['4000000000000002', 'declined'],
      ['1234', 'test cards'],
    ] as const) {
      const page = await submit(url, { action: 'pay', card });
      expect([page.status, await page.text()]).toEqual([402, expect.stringContaining(says)]);
    }
    expect(await subscription()).toMatchObject({ planId: world.plans[0]!.id });
    expect((await submit(url, { action: 'pay', card: pays })).status).toBe(303);
    expect(await subscription()).toMatchObject({ planId: world.plans[1]!.id });
    expect((await submit(url, { action: 'pay', card: pays })).status).toBe(409);
  });

  test('a renewal moves the period of a subscription, and a failed renewal makes the subscription past due', async () => {
    await someone();
    await toTeam('4000 0000 0000 0077');
    const renewed = await subscription();
    expect(renewed.status).toBe('active');
    expect(Date.parse(renewed.currentPeriodStart!)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    await someone();
    await toTeam('4000 0000 0000 0341');
    expect(await subscription()).toMatchObject({ planId: world.plans[1]!.id, status: 'past_due' });
    await created('fast', { interval: 10 });
  });

  test('a plan cannot be deleted while an account is subscribed to it, even if the subscription is past due', async () => {
    await someone();
    const [own] = await createPlans(world.daemon, [{ ...team, name: 'Own', price: 50 }]);
    await submit(await checkout(world.daemon, own!.id, asUser()), { action: 'pay', card: '4000 0000 0000 0341' });
    expect(await subscription()).toMatchObject({ planId: own!.id, status: 'past_due' });
    const path = `/api/billing/plans/${own!.id}`;
    expect((await world.daemon.request('DELETE', path, undefined, { cookie: world.daemon.cookie })).status).toBe(409);
    await cancel();
    expect((await world.daemon.request('DELETE', path, undefined, { cookie: world.daemon.cookie })).status).toBe(204);
  });

  test('a user can cancel a subscription that was renewed a moment ago', async () => {
    await someone();
    await toTeam('4000 0000 0000 0077');
    await cancel();
    expect(await subscription()).toMatchObject({ planId: world.plans[1]!.id, status: 'canceled' });
  });

  test('a payment for another plan replaces the former subscription', async () => {
    await someone();
    await toTeam();
    const [large] = await createPlans(world.daemon, [{ ...team, name: 'Large', price: 99 }]);
    await submit(await checkout(world.daemon, large!.id, asUser()), { action: 'pay', card: pays });
    expect(await subscription()).toMatchObject({ planId: large!.id, status: 'active' });
    const { body } = await world.daemon.request('GET', '/api/auth/get-session', undefined, asUser());
    const statuses = await world.daemon.store.db
      .selectFrom('subscription')
      .select(['plan_id', 'status'])
      .where('user_id', '=', (body as { user: { id: string } }).user.id)
      .orderBy('since')
      .execute();
    expect(statuses).toHaveLength(2);
    expect(statuses).toContainEqual({ plan_id: world.plans[1]!.id, status: 'canceled' });
    const path = `/api/billing/plans/${large!.id}`;
    const refused = await world.daemon.request('DELETE', path, undefined, { cookie: world.daemon.cookie });
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('the API refuses a checkout of an unknown plan, of a free plan and of the present plan', async () => {
    await someone();
    const ask = async (planId: string) =>
      (await world.daemon.request('POST', '/api/billing/checkout', { planId }, asUser())).status;
    expect(await ask('pln_none')).toBe(400);
    expect(await ask(world.plans[0]!.id)).toBe(409);
    await toTeam();
    expect(await ask(world.plans[1]!.id)).toBe(409);
  });

  test('an order can be paid only from its own payment page, and a changed address of that page gets 404', async () => {
    await someone();
    const url = await checkout(world.daemon, world.plans[1]!.id, asUser());
    const form = { action: 'pay', card: pays };
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await submit(url, form, { 'sec-fetch-site': site, origin: world.daemon.url })).status).toBe(403);
    const body = new URLSearchParams(form);
    const foreign = await fetch(url, { method: 'POST', body, headers: { origin: 'https://elsewhere.example' } });
    expect(foreign.status).toBe(403);
    for (const changed of [url.slice(0, -4), url.replace('session=v1.', 'session=v1.A'), url.split('?')[0]!]) {
      expect((await fetch(changed)).status).toBe(404);
      expect((await submit(changed, form)).status).toBe(404);
    }
    expect(await subscription()).toMatchObject({ planId: world.plans[0]!.id });
  });

  test('after a restart without a payment provider, all monitors that plans paused run again', async () => {
    await someone();
    await toTeam();
    const ids = [await created('fast', { interval: 10 }), await created('a')];
    await cancel();
    expect(await paused(...ids)).toEqual([true, false]);
    await fitAccounts(world.daemon.store, planRules({ charged: false, mode: 'private' }), Date.now);
    expect(await paused(...ids)).toEqual([false, false]);
    await fitAccounts(world.daemon.store, planRules({ charged: true, mode: 'private' }), Date.now);
    expect(await paused(...ids)).toEqual([true, false]);
  });

  test('plans and subscriptions are the same after a restart', async () => {
    const before = [await subscription(), (await request('GET', '/api/monitors')).body];
    await world.daemon.restart();
    const lasting = (of: unknown) => (of as Shown[]).map(({ id, pausedReason }) => ({ id, pausedReason }));
    expect(await subscription()).toEqual(before[0]);
    expect(lasting((await request('GET', '/api/monitors')).body)).toEqual(lasting(before[1]));
  });
});

test('without a free plan, accounts that pay nothing have no limits, and a new free plan limits them at once', async () => {
  const daemon = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_BILLING: 'sandbox' } });
  try {
    await createPlans(daemon, [{ ...team, monitors: 0 }]);
    for (const name of ['a', 'b', 'c']) {
      expect((await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name })).status).toBe(201);
    }
    const reasons = async () =>
      ((await daemon.request('GET', '/api/monitors')).body as Shown[]).map(({ pausedReason }) => pausedReason);
    expect(await reasons()).toEqual([null, null, null]);
    const [made] = await createPlans(daemon, [free]);
    expect(await reasons()).toEqual([null, null, 'plan']);
    const path = `/api/billing/plans/${made!.id}`;
    const session = { cookie: daemon.cookie };
    expect((await daemon.request('GET', '/api/billing/subscription', undefined, session)).body).toMatchObject({
      planId: made!.id,
    });
    expect((await daemon.request('DELETE', path, undefined, session)).status).toBe(204);
    expect(await reasons()).toEqual([null, null, null]);
  } finally {
    await daemon.close();
  }
});

test('a payment provider that is added or removed takes effect at the next start', async () => {
  const env = { UPTIME_BILLING: 'none' };
  const daemon = await createTestDaemon({ runCheck: passingCheck, env });
  try {
    await createPlans(daemon, [{ ...free, monitors: 1 }]);
    for (const name of ['a', 'b']) await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name });
    const reasons: unknown[] = [];
    for (env.UPTIME_BILLING of ['none', 'sandbox', 'none']) {
      await daemon.restart();
      const { body } = await daemon.request('GET', '/api/monitors');
      reasons.push((body as Shown[]).map(({ pausedReason }) => pausedReason));
    }
    expect(reasons).toEqual([
      [null, null],
      [null, 'plan'],
      [null, null],
    ]);
  } finally {
    await daemon.close();
  }
});

describe('without a payment provider', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  test('there is only one plan, which has no limits, and the error of a checkout says why there is nothing to pay', async () => {
    const { body } = await daemon.request('GET', '/api/billing/plans', undefined, { apiKey: null });
    expect(body).toMatchObject([{ name: 'self-hosted', price: 0, checkInterval: 1 }]);
    const [{ id }] = body as [{ id: string }];
    const session = { cookie: daemon.cookie };
    const subscription = await daemon.request('GET', '/api/billing/subscription', undefined, session);
    expect(subscription.body).toMatchObject({ planId: id, status: 'active' });
    const checkout = await daemon.request('POST', '/api/billing/checkout', { planId: id }, session);
    expect(checkout).toMatchObject({ status: 409, body: { detail: expect.stringContaining('self-hosted') as string } });
    expect((await daemon.request('PATCH', `/api/billing/plans/${id}`, { price: 1 }, session)).status).toBe(409);
    expect((await daemon.request('POST', '/api/billing/webhook', {}, { apiKey: null })).status).toBe(404);
  });

  test('a plan that an admin creates does not limit accounts', async () => {
    await createPlans(daemon, [{ ...free, monitors: 0 }]);
    const fields = { type: 'ping', name: 'p', host: 'localhost', interval: 1 };
    expect((await daemon.request('POST', '/api/monitors', fields)).status).toBe(201);
  });
});
