import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planRules } from '../../plans/account-plan.ts';
import { fitAccounts } from '../../plans/fit-account.ts';
import { joinRegion } from '../../lifecycle/join-region.ts';
import { checkout, createPlans, submit } from '../../testing/billing.ts';
import { databases } from '../../testing/databases.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../../testing/test-daemon.ts';

const pays = '4242 4242 4242 4242';
const free = { name: 'Free', monitors: 2, checkInterval: 60, regions: 1, price: 0 };
const team = { name: 'Team', monitors: 4, checkInterval: 10, regions: 2, price: 19.99 };

interface Shown {
  id: string;
  status: string;
  pausedReason: string | null;
  [field: string]: unknown;
}

describe.each(databases)('billing on $name', (database) => {
  let daemon: TestDaemon;
  let user: TestUser;
  let plans: { id: string }[];
  let count = 0;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck, env: { UPTIME_BILLING: 'sandbox' } });
    plans = await createPlans(daemon, [free, team]);
  });
  afterAll(() => daemon.close());

  const someone = async () => {
    user = await daemon.another(`payer-${++count}-${database.name}`);
  };
  const asUser = () => ({ cookie: user.cookie });
  const request = (method: string, path: string, body?: unknown) =>
    daemon.request(method, path, body, { apiKey: user.apiKey });
  const create = (name: string, fields: object = {}) =>
    request('POST', '/api/monitors', { type: 'tcp', name, host: 'localhost', port: 1, ...fields });
  const created = async (name: string, fields: object = {}) => {
    const answer = await create(name, fields);
    expect(answer).toMatchObject({ status: 201 });
    return (answer.body as Shown).id;
  };
  const read = async (id: string) => (await request('GET', `/api/monitors/${id}`)).body as Shown;
  const paused = async (...ids: string[]) =>
    (await Promise.all(ids.map(read))).map(({ status, pausedReason, nextCheckAt }) => {
      expect(status === 'paused').toBe(pausedReason === 'plan');
      expect(nextCheckAt === null).toBe(pausedReason === 'plan');
      return pausedReason === 'plan';
    });
  const subscription = async () =>
    (await daemon.request('GET', '/api/billing/subscription', undefined, asUser())).body as Record<string, string>;
  const toTeam = async (card = pays) => submit(await checkout(daemon, plans[1]!.id, asUser()), { action: 'pay', card });
  const cancel = async () => {
    const [other] = await createPlans(daemon, [{ ...team, name: 'Other', price: 5 }]);
    const page = await submit(await checkout(daemon, other!.id, asUser()), { action: 'cancel' });
    expect(page.status).toBe(200);
    await daemon.request('DELETE', `/api/billing/plans/${other!.id}`, undefined, { cookie: daemon.cookie });
  };

  test('anyone can list the plans, oldest first, and an account begins on the free one', async () => {
    await someone();
    const { body } = await daemon.request('GET', '/api/billing/plans', undefined, { apiKey: null });
    expect(body).toMatchObject([
      { id: plans[0]!.id, ...free, channels: 100 },
      { id: plans[1]!.id, ...team, channels: 100 },
    ]);
    // Nothing is paid, so its period is the calendar month.
    const { planId, status, currentPeriodStart, currentPeriodEnd } = await subscription();
    expect([planId, status]).toEqual([plans[0]!.id, 'active']);
    const start = new Date(currentPeriodStart!);
    expect(start.toISOString()).toMatch(/-01T00:00:00\.000Z$/);
    expect(start.getTime()).toBeLessThanOrEqual(Date.now());
    start.setUTCMonth(start.getUTCMonth() + 1);
    expect(start.getTime()).toBeGreaterThan(Date.now());
    expect(currentPeriodEnd).toBe(start.toISOString());
  });

  test('only an admin creates, changes and deletes a plan', async () => {
    await someone();
    const path = `/api/billing/plans/${plans[1]!.id}`;
    for (const [method, at, body] of [
      ['POST', '/api/billing/plans', team],
      ['PATCH', path, { price: 1 }],
      ['DELETE', path, undefined],
    ] as const)
      expect((await daemon.request(method, at, body, asUser())).status).toBe(403);
    const admin = { cookie: daemon.cookie };
    const [made] = await createPlans(daemon, [{ ...team, name: 'Short-lived' }]);
    const own = `/api/billing/plans/${made!.id}`;
    const changed = await daemon.request('PATCH', own, { price: 7.5, monitors: 9 }, admin);
    expect(changed.body).toMatchObject({ ...team, id: made!.id, name: 'Short-lived', price: 7.5, monitors: 9 });
    expect((await daemon.request('PATCH', own, { channels: 7 }, admin)).body).toMatchObject({ channels: 7 });
    expect((await daemon.request('PATCH', own, { channels: null }, admin)).body).toMatchObject({ channels: 100 });
    expect((await daemon.request('PATCH', own, { price: 0.005 }, admin)).status).toBe(400);
    expect((await daemon.request('PATCH', own, { monitor: 1 }, admin)).body).toMatchObject({
      errors: [{ path: 'monitor' }],
    });
    expect((await daemon.request('DELETE', own, undefined, admin)).status).toBe(204);
    expect((await daemon.request('DELETE', own, undefined, admin)).status).toBe(404);
    expect((await daemon.request('PATCH', own, { price: 1 }, admin)).status).toBe(404);
  });

  test('one monitor more than the plan allows is refused, over all projects of the account', async () => {
    await someone();
    await created('a');
    const other = await daemon.request('POST', '/api/projects', { name: 'other' }, asUser());
    const { apiKey } = other.body as { apiKey: string };
    const fields = { type: 'heartbeat', name: 'b' };
    expect((await daemon.request('POST', '/api/monitors', fields, { apiKey })).status).toBe(201);
    const refused = await create('c');
    expect(refused).toMatchObject({
      status: 402,
      body: {
        code: 'plan_limit_exceeded',
        detail:
          'The plan Free allows 2 monitors, and this is number 3. The plan Team (19.99 USD a month) has room for it.',
        errors: [{ path: '' }],
      },
    });
    expect(
      (await daemon.request('DELETE', `/api/projects/${(other.body as Shown).id}`, undefined, { apiKey })).status,
    ).toBe(204);
    await created('c');
  });

  test("concurrent creates in two projects stop at the plan's limit", async () => {
    await someone();
    const other = await daemon.request('POST', '/api/projects', { name: 'other' }, asUser());
    const keys = [user.apiKey, (other.body as { apiKey: string }).apiKey];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: `h${i}` }, { apiKey: keys[i % 2]! }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(6);
  });

  test('a shorter interval and more regions are refused on create and PATCH, at their fields', async () => {
    await someone();
    const fast = await create('fast', { interval: 5 });
    expect(fast).toMatchObject({
      status: 402,
      body: {
        detail: 'interval must be at least 60 with the plan Free, not 5. No plan has room for it.',
        errors: [{ path: 'interval' }],
      },
    });
    const id = await created('slow');
    expect((await request('PATCH', `/api/monitors/${id}`, { interval: 30 })).body).toMatchObject({
      code: 'plan_limit_exceeded',
      errors: [{ path: 'interval', message: expect.stringContaining('Team') as string }],
    });
    const wide = await request('PATCH', `/api/monitors/${id}`, { regions: ['eu', 'us'], interval: 10 });
    expect((wide.body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
      'interval',
      'regions',
    ]);
    expect((await read(id)).interval).toBe(60);
    expect((await create('beat', { type: 'heartbeat', host: undefined, port: undefined, interval: 1 })).status).toBe(
      201,
    );
  });

  test('a monitor that exceeded the plan before may stay so, and the suggested plan has room for it too', async () => {
    await someone();
    await toTeam();
    const id = await created('wide', { regions: ['eu', 'us'] });
    await cancel();
    expect((await request('PATCH', `/api/monitors/${id}`, { name: 'as wide' })).status).toBe(200);
    const [quick] = await createPlans(daemon, [{ ...team, name: 'Quick', regions: 1, price: 1 }]);
    const faster = await request('PATCH', `/api/monitors/${id}`, { interval: 10 });
    expect(faster).toMatchObject({
      status: 402,
      body: { errors: [{ path: 'interval', message: expect.stringContaining('The plan Team ') as string }] },
    });
    await daemon.request('DELETE', `/api/billing/plans/${quick!.id}`, undefined, { cookie: daemon.cookie });
  });

  test('paying activates the plan, canceling pauses monitors beyond the free one, paying again resumes them', async () => {
    await someone();
    const page = await fetch(await checkout(daemon, plans[1]!.id, asUser()));
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('19.99 USD');
    const done = await toTeam();
    expect([done.status, done.headers.get('location')]).toEqual([303, '/checkout/success']);
    expect((await fetch(`${daemon.url}/checkout/success`)).status).toBe(200);
    const now = await subscription();
    expect(now).toMatchObject({ planId: plans[1]!.id, status: 'active' });
    expect(Date.parse(now.currentPeriodEnd!)).toBeGreaterThan(Date.now() + 29 * 86_400_000);

    const ids = [await created('fast', { interval: 10 }), await created('a'), await created('b'), await created('c')];
    await request('PATCH', `/api/monitors/${ids[1]!}`, { paused: true });
    await request('PATCH', `/api/monitors/${ids[1]!}`, { paused: false });
    expect(await paused(...ids)).toEqual([false, false, false, false]);
    await cancel();
    expect(await subscription()).toMatchObject({ planId: plans[1]!.id, status: 'canceled' });
    // The first one is checked too often, and the last one exceeds the number.
    expect(await paused(...ids)).toEqual([true, false, false, true]);
    expect(await read(ids[3]!)).toMatchObject({ paused: false, interval: 60 });

    const resumed = await request('PATCH', `/api/monitors/${ids[3]!}`, { paused: false });
    expect(resumed).toMatchObject({ status: 402, body: { errors: [{ path: '' }] } });
    expect((await request('POST', `/api/monitors/${ids[3]!}/check`)).status).toBe(409);
    // Only the edit's own changes count.
    expect((await request('PATCH', `/api/monitors/${ids[3]!}`, { name: 'renamed' })).status).toBe(200);
    expect((await request('PATCH', `/api/monitors/${ids[0]!}`, { name: 'fast still' })).status).toBe(200);
    expect(await paused(ids[3]!)).toEqual([true]);

    await toTeam();
    expect(await paused(...ids)).toEqual([false, false, false, false]);
    expect((await read(ids[3]!)).name).toBe('renamed');
  });

  test('new room resumes paused monitors: after a delete, a slower interval, and a larger plan', async () => {
    await someone();
    await toTeam();
    const ids = [await created('fast', { interval: 10 }), await created('a'), await created('b'), await created('c')];
    await cancel();
    expect(await paused(...ids)).toEqual([true, false, false, true]);
    await request('DELETE', `/api/monitors/${ids[1]!}`);
    expect(await paused(ids[0]!, ids[2]!, ids[3]!)).toEqual([true, false, false]);
    // The first monitor is slow enough now. As the oldest, it takes the place of the youngest.
    expect((await request('PATCH', `/api/monitors/${ids[0]!}`, { interval: 60 })).status).toBe(200);
    expect(await paused(ids[0]!, ids[2]!, ids[3]!)).toEqual([false, false, true]);
    const plan = `/api/billing/plans/${plans[0]!.id}`;
    await daemon.request('PATCH', plan, { monitors: 3 }, { cookie: daemon.cookie });
    expect(await paused(ids[0]!, ids[2]!, ids[3]!)).toEqual([false, false, false]);
    await daemon.request('PATCH', plan, { monitors: 1 }, { cookie: daemon.cookie });
    expect(await paused(ids[0]!, ids[2]!, ids[3]!)).toEqual([false, true, true]);
    await daemon.request('PATCH', plan, { monitors: 2 }, { cookie: daemon.cookie });
  });

  test('room from the delete of another project resumes paused monitors', async () => {
    await someone();
    await toTeam();
    const other = await daemon.request('POST', '/api/projects', { name: 'other' }, asUser());
    const { apiKey } = other.body as { apiKey: string };
    for (const name of ['a', 'b']) {
      const fields = { type: 'heartbeat', name };
      expect((await daemon.request('POST', '/api/monitors', fields, { apiKey })).status).toBe(201);
    }
    const id = await created('c');
    await cancel();
    expect(await paused(id)).toEqual([true]);
    const path = `/api/projects/${(other.body as Shown).id}`;
    expect((await daemon.request('DELETE', path, undefined, { apiKey })).status).toBe(204);
    expect(await paused(id)).toEqual([false]);
  });

  test('a monitor paused by its owner stays paused when the plan has room for it again', async () => {
    await someone();
    await toTeam();
    const ids = [await created('a'), await created('b'), await created('c', { paused: true })];
    await cancel();
    expect(await read(ids[2]!)).toMatchObject({ status: 'paused', paused: true, pausedReason: 'plan' });
    await toTeam();
    expect(await read(ids[2]!)).toMatchObject({ status: 'paused', paused: true, pausedReason: null });
  });

  test('the suggested plan is available, and has room for everything the account has', async () => {
    await someone();
    await toTeam();
    await created('a');
    const id = await created('b');
    const others = await createPlans(daemon, [
      { ...team, name: 'One', monitors: 1, checkInterval: 1, price: 1 },
      { ...team, name: 'Free too', monitors: 99, checkInterval: 1, price: 0 },
      { ...team, name: 'Roomy', checkInterval: 1, price: 50 },
    ]);
    expect((await request('PATCH', `/api/monitors/${id}`, { interval: 5 })).body).toMatchObject({
      detail: expect.stringContaining('The plan Roomy (50 USD a month) has room for it.') as string,
    });
    for (const other of others)
      await daemon.request('DELETE', `/api/billing/plans/${other.id}`, undefined, { cookie: daemon.cookie });
  });

  test('the page of a finished payment can still cancel', async () => {
    await someone();
    const url = await checkout(daemon, plans[1]!.id, asUser());
    await submit(url, { action: 'pay', card: pays });
    expect(await (await fetch(url)).text()).toMatch(/Already paid[^]*value="cancel"/);
    expect((await submit(url, { action: 'cancel' })).status).toBe(200);
    expect(await subscription()).toMatchObject({ status: 'canceled' });
    expect(await (await fetch(url)).text()).not.toContain('value="cancel"');
  });

  test('a declined card changes nothing, and the page says so', async () => {
    await someone();
    const url = await checkout(daemon, plans[1]!.id, asUser());
    for (const [card, says] of [
      ['4000000000000002', 'declined'],
      ['1234', 'test cards'],
    ] as const) {
      const page = await submit(url, { action: 'pay', card });
      expect([page.status, await page.text()]).toEqual([402, expect.stringContaining(says)]);
    }
    expect(await subscription()).toMatchObject({ planId: plans[0]!.id });
    expect((await submit(url, { action: 'pay', card: pays })).status).toBe(303);
    expect(await subscription()).toMatchObject({ planId: plans[1]!.id });
    expect((await submit(url, { action: 'pay', card: pays })).status).toBe(409);
  });

  test('a renewal moves the period, and a failed one leaves the plan past due', async () => {
    await someone();
    await toTeam('4000 0000 0000 0077');
    const renewed = await subscription();
    expect(renewed.status).toBe('active');
    expect(Date.parse(renewed.currentPeriodStart!)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    await someone();
    await toTeam('4000 0000 0000 0341');
    expect(await subscription()).toMatchObject({ planId: plans[1]!.id, status: 'past_due' });
    await created('fast', { interval: 10 });
  });

  test('a plan cannot be deleted while an account is on it, even past due', async () => {
    await someone();
    const [own] = await createPlans(daemon, [{ ...team, name: 'Own', price: 50 }]);
    await submit(await checkout(daemon, own!.id, asUser()), { action: 'pay', card: '4000 0000 0000 0341' });
    expect(await subscription()).toMatchObject({ planId: own!.id, status: 'past_due' });
    const path = `/api/billing/plans/${own!.id}`;
    expect((await daemon.request('DELETE', path, undefined, { cookie: daemon.cookie })).status).toBe(409);
    await cancel();
    expect((await daemon.request('DELETE', path, undefined, { cookie: daemon.cookie })).status).toBe(204);
  });

  test('a subscription renewed a moment ago can be canceled', async () => {
    await someone();
    await toTeam('4000 0000 0000 0077');
    await cancel();
    expect(await subscription()).toMatchObject({ planId: plans[1]!.id, status: 'canceled' });
  });

  test('another plan replaces the former one', async () => {
    await someone();
    await toTeam();
    const [large] = await createPlans(daemon, [{ ...team, name: 'Large', price: 99 }]);
    await submit(await checkout(daemon, large!.id, asUser()), { action: 'pay', card: pays });
    expect(await subscription()).toMatchObject({ planId: large!.id, status: 'active' });
    const { body } = await daemon.request('GET', '/api/auth/get-session', undefined, asUser());
    const statuses = await daemon.store.db
      .selectFrom('subscription')
      .select(['plan_id', 'status'])
      .where('user_id', '=', (body as { user: { id: string } }).user.id)
      .orderBy('since')
      .execute();
    expect(statuses).toHaveLength(2);
    expect(statuses).toContainEqual({ plan_id: plans[1]!.id, status: 'canceled' });
    const path = `/api/billing/plans/${large!.id}`;
    const refused = await daemon.request('DELETE', path, undefined, { cookie: daemon.cookie });
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('a checkout of an unknown plan, a free plan and the present plan is refused', async () => {
    await someone();
    const ask = async (planId: string) =>
      (await daemon.request('POST', '/api/billing/checkout', { planId }, asUser())).status;
    expect(await ask('pln_none')).toBe(400);
    expect(await ask(plans[0]!.id)).toBe(409);
    await toTeam();
    expect(await ask(plans[1]!.id)).toBe(409);
  });

  test('only its user can pay on a payment page, and only from that page', async () => {
    await someone();
    const url = await checkout(daemon, plans[1]!.id, asUser());
    const form = { action: 'pay', card: pays };
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await submit(url, form, { 'sec-fetch-site': site, origin: daemon.url })).status).toBe(403);
    const body = new URLSearchParams(form);
    const foreign = await fetch(url, { method: 'POST', body, headers: { origin: 'https://elsewhere.example' } });
    expect(foreign.status).toBe(403);
    for (const changed of [url.slice(0, -4), url.replace('session=v1.', 'session=v1.A'), url.split('?')[0]!]) {
      expect((await fetch(changed)).status).toBe(404);
      expect((await submit(changed, form)).status).toBe(404);
    }
    expect(await subscription()).toMatchObject({ planId: plans[0]!.id });
  });

  test('no alert is sent about monitors that the plan pauses, and an open one is resolved', async () => {
    await someone();
    await toTeam();
    await created('a');
    await created('b');
    const beat = await created('c', { type: 'heartbeat', host: undefined, port: undefined });
    const { pingUrl } = await read(beat);
    const channel = await request('POST', '/api/notification-channels', {
      name: 'ops',
      type: 'webhook',
      config: { url: 'http://127.0.0.1:9/' },
    });
    await request('POST', '/api/alert-rules', {
      name: 'down',
      trigger: 'monitor_down',
      monitorIds: [beat],
      channelIds: [(channel.body as Shown).id],
    });
    await fetch(`${String(pingUrl)}/fail`);
    const history = async () =>
      (await request('GET', '/api/alert-history')).body as { resolvedAt: string | null; type: string }[];
    expect(await history()).toMatchObject([{ type: 'monitor_down', resolvedAt: null }]);
    await cancel();
    expect(await history()).toMatchObject([{ type: 'monitor_down', resolvedAt: expect.any(String) as string }]);
  });

  test('a monitor without regions gets as many as the plan has, also when a region is new', async () => {
    await someone();
    const { db } = daemon.store;
    const join = (name: string) => joinRegion(daemon.store, `${name}-${count}`, Date.now());
    const regions = async (id: string) => {
      const { seq } = await db.selectFrom('monitor').select('seq').where('id', '=', id).executeTakeFirstOrThrow();
      return (await db.selectFrom('schedule').select('region').where('monitor', '=', seq).execute()).length;
    };
    await join('eu');
    const id = await created('everywhere');
    expect(await regions(id)).toBe(1);
    await toTeam();
    expect(await regions(id)).toBe(2);
    await join('us');
    expect(await regions(id)).toBe(2);
    const named = await request('PATCH', `/api/monitors/${id}`, { regions: [`eu-${count}`] });
    expect([named.status, await regions(id)]).toEqual([200, 1]);
    // For a monitor with named regions another limit changes nothing, so a running check still counts.
    const generation = () => db.selectFrom('monitor').select('generation').where('id', '=', id).executeTakeFirst();
    const before = await generation();
    await cancel();
    expect(await generation()).toEqual(before);
    await request('PATCH', `/api/monitors/${id}`, { regions: null });
    expect([await regions(id), await paused(id)]).toEqual([1, [false]]);
  });

  test('without charges, from the next start on, nothing stays paused', async () => {
    await someone();
    await toTeam();
    const ids = [await created('fast', { interval: 10 }), await created('a')];
    await cancel();
    expect(await paused(...ids)).toEqual([true, false]);
    await fitAccounts(daemon.store, planRules({ charged: false, mode: 'private' }), Date.now);
    expect(await paused(...ids)).toEqual([false, false]);
    await fitAccounts(daemon.store, planRules({ charged: true, mode: 'private' }), Date.now);
    expect(await paused(...ids)).toEqual([true, false]);
  });

  test('everything is the same after a restart', async () => {
    const before = [await subscription(), (await request('GET', '/api/monitors')).body];
    await daemon.restart();
    const lasting = (of: unknown) => (of as Shown[]).map(({ id, pausedReason }) => ({ id, pausedReason }));
    expect(await subscription()).toEqual(before[0]);
    expect(lasting((await request('GET', '/api/monitors')).body)).toEqual(lasting(before[1]));
  });
});

test('without a free plan, accounts that pay nothing have no limits; a new free plan applies at once', async () => {
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

test('a provider that is added or removed takes effect at the next start', async () => {
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

  test('there is one plan without limits, and checkout says why there is nothing to pay', async () => {
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

  test("an admin's plans limit no one", async () => {
    await createPlans(daemon, [{ ...free, monitors: 0 }]);
    const fields = { type: 'ping', name: 'p', host: 'localhost', interval: 1 };
    expect((await daemon.request('POST', '/api/monitors', fields)).status).toBe(201);
  });
});
