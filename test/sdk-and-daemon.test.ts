import { ApiError, BadRequestError, ConflictError, NotFoundError, UnauthenticatedError, Uptime } from '@uptime/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../packages/daemon/src/testing/test-daemon.ts';

let daemon: TestDaemon;
let uptime: Uptime;

beforeAll(async () => {
  daemon = await createTestDaemon();
  uptime = new Uptime({ siteUrl: daemon.url, apiKey: daemon.apiKey });
});
afterAll(() => daemon.close());

test('a script without a browser can sign up, create a project, and replace its key', async () => {
  const anonymous = new Uptime({ siteUrl: daemon.url, apiKey: null });
  expect(await anonymous.auth.getSession()).toBeNull();
  const ada = { email: 'ada.sdk@example.com', password: 'a long secret' };
  const { user } = await anonymous.auth.signUp({ name: 'Ada', ...ada });
  const { cookie } = await anonymous.auth.signIn(ada);
  const mine = new Uptime({ siteUrl: daemon.url, session: cookie });
  expect(await mine.auth.getSession()).toMatchObject({ user: { id: user.id, email: ada.email } });

  const project = await mine.projects.create({ name: 'Shop' });
  const { apiKey } = await mine.projects.regenerateKey(project.id);
  const stale = new Uptime({ siteUrl: daemon.url, apiKey: project.apiKey });
  await expect(stale.monitors.list()).rejects.toBeInstanceOf(UnauthenticatedError);
  expect(await new Uptime({ siteUrl: daemon.url, apiKey }).monitors.list()).toEqual([]);
  const scoped = new Uptime({ siteUrl: daemon.url, session: cookie, projectId: project.id });
  expect(await scoped.monitors.list()).toEqual([]);

  await mine.auth.signOut();
  expect(await mine.auth.getSession()).toBeNull();
});

test('the SDK can ping a heartbeat by its address and by its token', async () => {
  const { id, pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Backup' });
  const token = pingUrl.split('/').at(-1)!;
  await uptime.heartbeats.ping(token, { signal: 'start' });
  await uptime.heartbeats.ping(token, { signal: 0, metrics: { rows: 1200 } });
  expect(await uptime.monitors.heartbeatMetrics(id)).toMatchObject([{ metrics: { rows: 1200 }, status: 'success' }]);
  expect(await uptime.monitors.stats(id)).toMatchObject({ status: 'up' });
  await uptime.heartbeats.ping(token, { signal: 'fail' });
  expect((await uptime.monitors.get(id)).status).toBe('down');
  await expect(uptime.heartbeats.ping('unknown')).rejects.toBeInstanceOf(NotFoundError);
  await expect(uptime.heartbeats.ping(token, { metrics: { deep: {} as never } })).rejects.toBeInstanceOf(
    BadRequestError,
  );
});

test('two requests with the same idempotency key make one monitor, and another body with this key is a conflict', async () => {
  const router = { type: 'ping', name: 'Router', host: '127.0.0.1', paused: true } as const;
  const once = { idempotencyKey: 'router-1' };
  const first = await uptime.monitors.create(router, once);
  expect((await uptime.monitors.create(router, once)).id).toBe(first.id);
  await expect(uptime.monitors.create({ ...router, name: 'Other' }, once)).rejects.toBeInstanceOf(ConflictError);
});

test('paging yields every monitor once, in order of creation', async () => {
  const { apiKey } = await daemon.another('Paging');
  const { monitors } = new Uptime({ siteUrl: daemon.url, apiKey });
  const created: string[] = [];
  for (let i = 0; i < 5; i++) {
    created.push((await monitors.create({ type: 'ping', name: `m${i}`, host: '127.0.0.1', paused: true })).id);
  }
  const paged: string[] = [];
  for await (const { id } of monitors.iterate({ limit: 2 })) paged.push(id);
  expect(paged).toEqual(created);
});

test('the history of a monitor can be read in pages', async () => {
  const { id, pingUrl } = await uptime.monitors.create({ type: 'heartbeat', name: 'Hourly' });
  for (let run = 0; run < 5; run++) await uptime.heartbeats.ping(pingUrl, { metrics: { run }, signal: run % 2 });
  const query = { limit: 2 };
  const runs = [];
  for await (const { metrics } of uptime.monitors.iterateHeartbeatMetrics(id, query)) runs.push(metrics['run']);
  expect(runs).toEqual([0, 1, 2, 3, 4]);
  const statuses = [];
  for await (const event of uptime.monitors.iterateEvents(id, query)) statuses.push(event.to);
  expect(statuses).toEqual(['up', 'down', 'up', 'down', 'up']);
  const nothing = [];
  for await (const check of uptime.monitors.iterateResponseTimes(id, query)) nothing.push(check);
  for await (const alert of uptime.alertHistory.iterate(query)) nothing.push(alert);
  for await (const delivery of uptime.alertHistory.iterateDeliveries({ limit: 2 })) nothing.push(delivery);
  expect(nothing).toEqual([]);
});

test('the SDK reads a public status page without a credential', async () => {
  const { slug } = await uptime.statusPages.create({ name: 'Shop & Co', slug: 'sdk-shop' });
  const anonymous = new Uptime({ siteUrl: daemon.url, apiKey: null });
  expect(await anonymous.statusPages.html(slug)).toMatch(/^<!doctype html>.*Shop &amp; Co/is);
  await expect(anonymous.statusPages.html('nowhere')).rejects.toBeInstanceOf(NotFoundError);
});

test('the server refuses an event of the payment provider without a signature', async () => {
  await expect(uptime.billing.webhook({ id: 'evt_1' })).rejects.toBeInstanceOf(ApiError);
});

test('the error for an invalid input has every fault, and a request id', async () => {
  const error = await uptime.monitors.create({ type: 'tcp', name: '', host: 'db:1', port: 0 }).catch((error) => error);
  expect(error).toBeInstanceOf(BadRequestError);
  const { errors, requestId } = error as ApiError;
  expect(errors.map(({ path }) => path)).toEqual(['name', 'host', 'port']);
  expect(requestId).toBeTruthy();
});
