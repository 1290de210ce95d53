import { type PlanLimitName, planLimitNames, planLimits } from '@uptime/sdk/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPlans } from '../testing/billing.ts';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';

interface Limit {
  name: PlanLimitName;
  used: number;
  limit: number | null;
}

const http = (body: string) => ({
  type: 'http',
  name: 'x',
  url: 'http://localhost/',
  method: 'POST',
  paused: true,
  body,
});
/** A request body that takes 600,000 bytes as encrypted JSON. */
const large = '\u0001'.repeat(75_000);
const slack = { type: 'slack', name: 'x', config: { webhookUrl: 'http://127.0.0.1:1/' } };
const now = Date.now();
const window = {
  maintenance: true,
  scheduledStart: new Date(now).toISOString(),
  scheduledEnd: new Date(now + 1e7).toISOString(),
};
const small = { channels: 2, alertRules: 1, statusPages: 2, customDomains: 1, incidents: 2, openIncidents: 1 };
const tight = { ...small, maintenanceWindows: 1, projects: 1, storageMegabytes: 1 };

describe.each(databases)('limits of a plan on $name', (database) => {
  let daemon: TestDaemon;
  let planId: string;
  let user: TestUser;
  let people = 0;
  beforeAll(async () => {
    daemon = await createTestDaemon({ runCheck: passingCheck, database, env: { UPTIME_BILLING: 'sandbox' } });
    const free = { name: 'Free', monitors: 50, checkInterval: 1, regions: 1, price: 0, ...tight };
    const team = { name: 'Team', monitors: 50, checkInterval: 1, regions: 1, price: 9, storageMegabytes: 2 };
    planId = (await createPlans(daemon, [free, team]))[0]!.id;
  });
  afterAll(() => daemon.close());
  beforeEach(async () => {
    await allow(tight);
    user = await daemon.another(`user-${++people}`);
  });

  const allow = async (limits: Partial<Record<PlanLimitName, number | null>>) => {
    const changed = await daemon.request('PATCH', `/api/billing/plans/${planId}`, limits, { cookie: daemon.cookie });
    expect(changed.status).toBe(200);
  };
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await daemon.request(method, `/api${path}`, body, { apiKey: user.apiKey });
    return { status: answer.status, body: answer.body as { id: string; detail: string; code: string } };
  };
  const create = async (path: string, body: object): Promise<string> => {
    const made = await call('POST', path, body);
    expect(made).toMatchObject({ status: 201 });
    return made.body.id;
  };
  const usage = async () => (await call('GET', '/usage')).body as unknown as { plan: string; limits: Limit[] };
  test('the usage shows the limits on each monitor', async () => {
    expect(await usage()).toMatchObject({ plan: 'Free', perMonitor: { checkInterval: 1, regions: 1 } });
  });

  const used = async (): Promise<Partial<Record<PlanLimitName, number>>> =>
    Object.fromEntries((await usage()).limits.map((limit) => [limit.name, limit.used]));

  let slugs = 0;
  const page = () => ({ name: 'x', slug: `page-${people}-${++slugs}` });
  const kinds: [string, PlanLimitName, () => object, string][] = [
    ['/notification-channels', 'channels', () => slack, 'allows 2 channels a project; this project has 2.'],
    [
      '/alert-rules',
      'alertRules',
      () => ({ name: 'x', monitorIds: [], channelIds: [] }),
      'allows 1 alert rules a project; this project has 1.',
    ],
    ['/status-pages', 'statusPages', page, 'allows 2 status pages a project; this project has 2.'],
    [
      '/incidents',
      'incidents',
      () => ({ title: 'x', status: 'resolved' }),
      'allows 2 incidents a project; this project has 2.',
    ],
    ['/incidents', 'openIncidents', () => ({ title: 'x' }), 'allows 1 open incidents a project; this project has 1.'],
    [
      '/incidents',
      'maintenanceWindows',
      () => ({ title: 'x', ...window }),
      'allows 1 maintenance windows a project; this project has 1.',
    ],
  ];

  test.each(kinds)(
    'many simultaneous creates at %s do not exceed the limit of %s, and a delete makes room for one more create',
    async (path, limit, body, detail) => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => call('POST', path, body())));
      const made = answers.filter(({ status }) => status === 201);
      const maxAmount = tight[limit as keyof typeof tight];
      expect(made).toHaveLength(maxAmount);
      const refused = answers.filter(({ status }) => status !== 201);
      for (const { status, body: problem } of refused)
        expect({ status, problem }).toMatchObject({
          status: 402,
          problem: { code: 'plan_limit_exceeded', detail: expect.stringContaining(detail) as string },
        });
      expect(await used()).toMatchObject({ [limit]: maxAmount });
      expect((await call('DELETE', `${path}/${made[0]!.body.id}`)).status).toBe(204);
      expect((await call('POST', path, body())).status).toBe(201);
    },
  );

  test('many simultaneous creates of projects do not exceed the limit of an account', async () => {
    const ask = () => daemon.request('POST', '/api/projects', { name: 'more' }, { cookie: user.cookie });
    await allow({ projects: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(await ask()).toMatchObject({
      status: 402,
      body: {
        detail: expect.stringContaining('The plan Free allows 3 projects an account; this account has 3.') as string,
      },
    });
    expect(await used()).toMatchObject({ projects: 3 });
  });

  test('a custom domain counts toward the limit of custom domains, whether it is set with the page or later', async () => {
    await create('/status-pages', { ...page(), customDomain: `status-${people}.example.com` });
    const second = await create('/status-pages', page());
    expect(
      await call('PATCH', `/status-pages/${second}`, { customDomain: `other-${people}.example.com` }),
    ).toMatchObject({
      status: 402,
      body: { detail: expect.stringContaining('allows 1 custom domains a project; this project has 1.') as string },
    });
  });

  test('an incident that is opened again counts toward the limit of open incidents, and can always be resolved', async () => {
    const first = await create('/incidents', { title: 'x' });
    expect((await call('PATCH', `/incidents/${first}`, { status: 'resolved' })).status).toBe(200);
    const second = await create('/incidents', { title: 'y' });
    expect(await call('PATCH', `/incidents/${first}`, { status: 'monitoring' })).toMatchObject({ status: 402 });
    await allow({ storageMegabytes: 0 });
    expect(await call('PATCH', `/incidents/${second}`, { message: 'more' })).toMatchObject({ status: 402 });
    expect((await call('PATCH', `/incidents/${second}`, { status: 'resolved', message: 'done' })).status).toBe(200);
  });

  test('a create or an edit beyond the storage limit is refused, and the error names a plan with enough storage', async () => {
    const id = await create('/monitors', http(large));
    expect((await used()).storageMegabytes).toBeCloseTo(0.57, 1);
    const detail = expect.stringMatching(
      /^The plan Free allows 1 megabytes of storage a project; this project uses 0\.57, and this request adds 0\.57\. The plan Team \(9 USD a month\)/,
    ) as string;
    expect(await call('POST', '/monitors', http(large))).toMatchObject({ status: 402, body: { detail } });
    const small = await create('/monitors', http('x'));
    expect(await call('PATCH', `/monitors/${small}`, { body: large })).toMatchObject({ status: 402 });
    const many = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', '/monitors', http(large.slice(0, 37_500)))),
    );
    const statuses = Map.groupBy(many, ({ status }) => status);
    expect([statuses.get(201)?.length, statuses.get(402)?.length]).toEqual([1, 5]);
    expect((await call('PATCH', `/monitors/${id}`, { body: 'short' })).status).toBe(200);
    expect((await call('PATCH', `/monitors/${small}`, { body: large })).status).toBe(200);
  });

  test('in a project whose storage is full, monitors can still be paused and resumed, and numbers can be changed', async () => {
    const id = await create('/monitors', http(large));
    await allow({ storageMegabytes: 0 });
    expect(await call('PATCH', `/monitors/${id}`, { paused: false })).toMatchObject({ status: 200 });
    expect(await call('PATCH', `/monitors/${id}`, { interval: 3000, verifyTls: false })).toMatchObject({ status: 200 });
    expect(await call('PATCH', `/monitors/${id}`, { name: 'longer' })).toMatchObject({ status: 402 });
  });

  test('deleting an object frees its storage, and the storage of all references to it', async () => {
    await allow({ channels: null, alertRules: null, statusPages: null, incidents: null, openIncidents: null });
    const text = 'm'.repeat(9000);
    const [kept, gone] = [await create('/monitors', http(text)), await create('/monitors', http(text))];
    const channel = await create('/notification-channels', slack);
    const start = await daemonBytes(daemon, user);
    const rule = await create('/alert-rules', { name: 'x', monitorIds: [kept], channelIds: [] });
    const shown = await create('/status-pages', { ...page(), monitorIds: [kept] });
    const incident = await create('/incidents', { title: 'x', message: text, monitorIds: [kept] });
    const before = await daemonBytes(daemon, user);
    const second = await create('/notification-channels', slack);
    await call('PATCH', `/alert-rules/${rule}`, { monitorIds: [kept, gone], channelIds: [channel, second] });
    await call('PATCH', `/status-pages/${shown}`, { monitorIds: [kept, gone] });
    await call('PATCH', `/incidents/${incident}`, { monitorIds: [kept, gone] });
    expect(await daemonBytes(daemon, user)).toBeGreaterThan(before);
    const another = await create('/monitors', http(text));
    await call('DELETE', `/monitors/${gone}`);
    await call('DELETE', `/notification-channels/${second}`);
    await call('PATCH', `/alert-rules/${rule}`, { channelIds: [] });
    expect(await daemonBytes(daemon, user)).toBe(before);
    await call('PATCH', `/incidents/${incident}`, { message: text });
    for (const path of [`/alert-rules/${rule}`, `/status-pages/${shown}`, `/incidents/${incident}`])
      expect((await call('DELETE', path)).status).toBe(204);
    expect(await daemonBytes(daemon, user)).toBe(start);
    for (const id of [kept, another]) await call('DELETE', `/monitors/${id}`);
    await call('DELETE', `/notification-channels/${channel}`);
    expect(await daemonBytes(daemon, user)).toBe(0);
  });

  test('if the limits of a plan are below the present usage, only writes that increase the usage are refused', async () => {
    const monitor = await create('/monitors', http('x'));
    const channel = await create('/notification-channels', slack);
    const shown = await create('/status-pages', page());
    await allow(Object.fromEntries(Object.keys(tight).map((name) => [name, 0])));
    expect((await call('GET', '/monitors')).status).toBe(200);
    expect((await call('PATCH', `/monitors/${monitor}`, { interval: 61 })).status).toBe(200);
    expect((await call('PATCH', `/monitors/${monitor}`, { body: 'longer' })).status).toBe(402);
    expect((await call('PATCH', `/notification-channels/${channel}`, { name: 'longer' })).status).toBe(402);
    expect((await call('PATCH', `/status-pages/${shown}`, { name: 'y' })).status).toBe(200);
    expect((await usage()).limits).toContainEqual({
      name: 'channels',
      scope: 'project',
      unit: 'count',
      used: 1,
      limit: 0,
    });
    for (const path of [`/status-pages/${shown}`, `/notification-channels/${channel}`, `/monitors/${monitor}`])
      expect((await call('DELETE', path)).status).toBe(204);
  });

  test('answers that are stored for an Idempotency-Key count as storage, without the parts that repeat the request', async () => {
    const headers = { 'idempotency-key': 'large' };
    const ask = () => daemon.request('POST', '/api/monitors', http(large), { apiKey: user.apiKey, headers });
    const first = await ask();
    expect(first.status).toBe(201);
    expect((await ask()).body).toEqual(first.body);
    await call('DELETE', `/monitors/${(first.body as { id: string }).id}`);
    expect((await ask()).body).toEqual(first.body);
    const left = await daemonBytes(daemon, user);
    expect(left).toBeGreaterThan(300);
    expect(left).toBeLessThan(2500);
  });
});

/** The storage of a project in bytes. The API returns it only in rounded megabytes. */
async function daemonBytes({ store }: TestDaemon, { project }: TestUser): Promise<number> {
  const { usageOf } = await import('../plans/usage.ts');
  const row = await store.db.selectFrom('project').selectAll().where('id', '=', project.id).executeTakeFirstOrThrow();
  return (await usageOf(store.db, row)).storageMegabytes * 1_048_576;
}

describe('a server in private mode', () => {
  test('the server has no limits, and the usage of a project shows how much is used', async () => {
    const daemon = await createTestDaemon({ runCheck: passingCheck });
    try {
      await daemon.request('POST', '/api/notification-channels', slack);
      const { body } = await daemon.request('GET', '/api/usage');
      const { plan, limits, checks } = body as { plan: string | null; limits: Limit[]; checks: object };
      expect(plan).toBeNull();
      expect(body).toMatchObject({ perMonitor: { checkInterval: null, regions: null } });
      expect(limits.map(({ name }) => name)).toEqual(planLimitNames);
      expect(limits.every(({ limit }) => limit === null)).toBe(true);
      expect(limits).toContainEqual(expect.objectContaining({ name: 'channels', used: 1 }));
      expect(checks).toEqual({ perMinute: 0, underWay: 0, waiting: 0 });
    } finally {
      await daemon.close();
    }
  });
});

describe('a server in public mode', () => {
  test('the server limits accounts without a plan, but not its admin', async () => {
    const env = { UPTIME_MODE: 'public', UPTIME_SIGNUP: 'open', UPTIME_RATE_LIMIT: 'on' };
    const daemon = await createTestDaemon({ runCheck: passingCheck, env });
    try {
      const tenant = await daemon.another('tenant');
      const limitsOf = async (apiKey: string) => {
        const { limits } = (await daemon.request('GET', '/api/usage', undefined, { apiKey })).body as {
          limits: Limit[];
        };
        return Object.fromEntries(limits.map(({ name, limit }) => [name, limit]));
      };
      const defaults = planLimitNames.map((name) => [name, planLimits[name].publicDefault]);
      expect(await limitsOf(tenant.apiKey)).toEqual(Object.fromEntries(defaults));
      expect(new Set(Object.values(await limitsOf(daemon.apiKey)))).toEqual(new Set([null]));
      const plans = (await daemon.request('GET', '/api/billing/plans')).body as object[];
      expect(plans).toEqual([expect.objectContaining(Object.fromEntries(defaults))]);

      const ask = () => daemon.request('POST', '/api/projects', { name: 'more' }, { cookie: tenant.cookie });
      const answers = await Promise.all(Array.from({ length: 14 }, ask));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(planLimits.projects.publicDefault - 1);
      expect(await ask()).toMatchObject({
        status: 402,
        body: {
          detail:
            'The plan self-hosted allows 10 projects an account; this account has 10. Delete some, or ask the operator of this server.',
        },
      });
    } finally {
      await daemon.close();
    }
  });
});
