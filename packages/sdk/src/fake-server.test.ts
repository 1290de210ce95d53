import { describe, expect, test } from 'vitest';
import { ConflictError, ForbiddenError, NotFoundError, RateLimitError, ServerError, Uptime } from './index.ts';
import { createFakeServer } from './testing.ts';

describe('the records of the fake server', () => {
  test.each<[string, (uptime: Uptime) => Promise<object>, object]>([
    [
      'an incident',
      ({ incidents }) => incidents.create({ title: 'Slow' }),
      { title: 'Slow', status: 'investigating', monitorIds: [], updates: [], managedBy: null },
    ],
    [
      'a status page',
      ({ statusPages }) => statusPages.create({ name: 'Shop', slug: 'shop' }),
      { slug: 'shop', customDomain: null, domain: null, monitorIds: [], managedBy: null },
    ],
    [
      'a channel',
      ({ channels }) => channels.create({ type: 'email', name: 'Ops', config: { address: 'a@b.example' } }),
      { type: 'email', config: { address: 'a@b.example' }, managedBy: null },
    ],
    [
      'an alert rule',
      ({ alertRules }) => alertRules.create({ name: 'n', monitorIds: [], channelIds: [] }),
      { trigger: 'monitor_down', enabled: true, consecutiveFailures: 1, managedBy: null },
    ],
  ])('the fake server keeps %s with the defaults of its fields', async (_, create, fields) => {
    const made = await create(new Uptime(createFakeServer()));
    expect(made).toMatchObject({ ...fields, id: expect.any(String), createdAt: expect.any(String) });
  });

  test('the fake server keeps a record with every change, until the record is deleted', async () => {
    const { alertRules } = new Uptime(createFakeServer());
    const { id } = await alertRules.create({ name: 'n', monitorIds: [], channelIds: [] });
    await alertRules.update(id, { enabled: false });
    expect(await alertRules.list()).toMatchObject([{ id, name: 'n', enabled: false }]);
    await alertRules.delete(id);
    expect(await alertRules.list()).toEqual([]);
    await expect(alertRules.delete(id)).rejects.toBeInstanceOf(NotFoundError);
  });

  test('the fake server has one project from the start, and gives each new project another API key', async () => {
    const server = createFakeServer();
    const { projects } = new Uptime(server);
    expect(await projects.list()).toMatchObject([{ name: 'Test', apiKey: server.apiKey }]);
    const made = await projects.create({ name: 'Shop' });
    expect(made.apiKey).toMatch(/^uptime_.{32}$/);
    expect(made.apiKey).not.toBe(server.apiKey);
  });

  test('each fake server keeps its own data', async () => {
    const [one, other] = [new Uptime(createFakeServer()), new Uptime(createFakeServer())];
    await one.monitors.create({ type: 'heartbeat', name: 'Backup' });
    expect(await other.monitors.list()).toEqual([]);
  });
});

describe('the answers of the fake server', () => {
  test('the fake server answers requests for health and for the session without a credential', async () => {
    const uptime = new Uptime({ ...createFakeServer(), apiKey: null });
    expect(await uptime.health()).toMatchObject({ status: 'ok', version: 'fake' });
    expect(await uptime.auth.getSession()).toBeNull();
  });

  test('the fake server returns an error for a request that it does not support', async () => {
    const uptime = new Uptime(createFakeServer());
    const { id } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup' });
    await expect(uptime.monitors.stats(id)).rejects.toMatchObject({ code: 'not_implemented' });
    await expect(uptime.billing.plans()).rejects.toThrow('The fake server does not support /api/billing/plans.');
  });

  test.each([
    [{ code: 'conflict' }, ConflictError, 409],
    [{ status: 403 }, ForbiddenError, 403],
    [{ code: 'rate_limited', retryAfter: 90 }, RateLimitError, 429],
    [{ status: 418 }, Object, 418],
    [{}, ServerError, 500],
  ] as const)(
    'if the fake server has queued the failure %j, a call throws an error of the matching class and status',
    async (queued, type, status) => {
      const server = createFakeServer();
      server.failNext(queued);
      const error: unknown = await new Uptime({ ...server, retries: 0 }).monitors
        .list()
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ status, retryAfter: 'retryAfter' in queued ? queued.retryAfter : null });
    },
  );

  test('the fake server returns 404 for a ping of an unknown token', async () => {
    const server = createFakeServer();
    await expect(new Uptime(server).heartbeats.ping('mon_x')).rejects.toBeInstanceOf(NotFoundError);
    expect(server.pings).toEqual([]);
  });
});

test('in the fake server, a ping with exit code 0 sets a heartbeat to up, `fail` sets it to down, and `start` changes nothing', async () => {
  const uptime = new Uptime(createFakeServer());
  const { id, pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup' });
  const statusAfter = async (signal: 'start' | 'fail' | number) => {
    await uptime.heartbeats.ping(pingUrl, { signal });
    return (await uptime.monitors.get(id)).status;
  };
  expect(await statusAfter('start')).toBe('pending');
  expect(await statusAfter(0)).toBe('up');
  expect(await statusAfter('start')).toBe('up');
  expect(await statusAfter('fail')).toBe('down');
});

test('lists of the fake server can be searched by key and by name, and read page by page', async () => {
  const { monitors } = new Uptime(createFakeServer());
  for (const name of ['a', 'b', 'c']) await monitors.create({ type: 'heartbeat', name, key: `key-${name}` });
  expect((await monitors.list({ name: 'b' })).map(({ key }) => key)).toEqual(['key-b']);
  expect(await monitors.list({ key: 'key-b', name: 'c' })).toEqual([]);
  const names: string[] = [];
  for await (const { name } of monitors.iterate({ limit: 2 })) names.push(name);
  expect(names).toEqual(['a', 'b', 'c']);
});
