import { expect, test } from 'vitest';
import { BadRequestError, NotFoundError, PlanLimitError, ServerError, UnauthenticatedError, Uptime } from './index.ts';
import { createFakeServer } from './testing.ts';

test('monitors of the fake server can be created with defaults, read, changed, listed page by page and deleted', async () => {
  const server = createFakeServer();
  const { monitors } = new Uptime(server);
  const http = await monitors.create({ type: 'http', name: 'Shop', url: 'https://shop.example.com', key: 'shop' });
  expect(http).toMatchObject({
    status: 'pending',
    interval: 60,
    timeout: 30,
    expectedStatus: '200-299',
    certificate: null,
  });
  const ping = await monitors.create({ type: 'ping', name: 'Router', host: '10.0.0.1' });
  expect(await monitors.list({ key: 'shop' })).toEqual([http]);
  const names: string[] = [];
  for await (const { name } of monitors.iterate({ limit: 1 })) names.push(name);
  expect(names).toEqual(['Shop', 'Router']);
  expect(await monitors.update(ping.id, { interval: 30 })).toMatchObject({ interval: 30, name: 'Router' });
  await monitors.delete(ping.id);
  await expect(monitors.get(ping.id)).rejects.toBeInstanceOf(NotFoundError);
});

test('the fake server refuses an invalid monitor with the same faults as a real server', async () => {
  const { monitors } = new Uptime(createFakeServer());
  await expect(monitors.create({ type: 'tcp', name: 'db', host: 'db:1', port: 0 })).rejects.toMatchObject({
    constructor: BadRequestError,
    errors: [{ path: 'host' }, { path: 'port' }],
  });
});

test('the fake server records pings, and sets the heartbeat to up or down by their exit codes', async () => {
  const server = createFakeServer();
  const uptime = new Uptime(server);
  const { id, pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup' });
  await uptime.heartbeats.ping(pingUrl, { metrics: { rows: 3 } });
  expect((await uptime.monitors.get(id)).status).toBe('up');
  await uptime.heartbeats.ping(pingUrl, { signal: 2 });
  expect((await uptime.monitors.get(id)).status).toBe('down');
  expect(server.pings).toEqual([
    { monitorId: id, signal: null, metrics: { rows: 3 } },
    { monitorId: id, signal: '2', metrics: null },
  ]);
});

test('the fake server returns queued failures in order, one for each request', async () => {
  const server = createFakeServer();
  const uptime = new Uptime({ ...server, retries: 1 });
  server.failNext({ code: 'plan_limit_exceeded', detail: 'The plan allows 3 monitors.' });
  await expect(uptime.monitors.list()).rejects.toMatchObject({
    constructor: PlanLimitError,
    message: 'The plan allows 3 monitors.',
  });
  server.failNext({ status: 503, retryAfter: 0 });
  expect(await uptime.monitors.list()).toEqual([]);
  server.failNext();
  await expect(uptime.monitors.list()).rejects.toBeInstanceOf(ServerError);
  expect(server.requests).toEqual(Array(4).fill('GET /api/monitors'));
});

test('the fake server refuses a wrong key, and a test can set the status of a monitor', async () => {
  const server = createFakeServer();
  await expect(new Uptime({ ...server, apiKey: 'other' }).monitors.list()).rejects.toBeInstanceOf(UnauthenticatedError);
  const { monitors } = new Uptime(server);
  const { id } = await monitors.create({ type: 'ping', name: 'Router', host: '10.0.0.1' });
  server.setStatus(id, 'down');
  expect(await monitors.get(id)).toMatchObject({ status: 'down', lastCheckedAt: expect.any(String) });
  expect(() => server.setStatus('mon_x', 'up')).toThrow('has no monitor mon_x');
});
