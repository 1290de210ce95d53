import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Daemon } from '../daemon.ts';
import { type Installation, startInstallation } from '../testing/installation.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { httpTarget, type HttpTarget } from '../testing/targets/index.ts';

const waiting = { timeout: 20_000 };
let installation: Installation;
let hook: HttpTarget;
beforeAll(async () => {
  hook = await httpTarget();
  installation = await startInstallation({ first: { UPTIME_ROLES: 'api' } }, { runCheck: passingCheck });
});
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await hook.close();
});

const request = (method: string, path: string, body?: object) => installation.first.request(method, path, body);
const health = async () => (await request('GET', '/healthz')).body as { roles: string[]; warnings: string[] };
const unserved = async () => (await health()).warnings.filter((warning) => warning.startsWith('No '));
const statusOf = async (id: string) =>
  ((await request('GET', `/api/monitors/${id}`)).body as { status: string }).status;
const create = async (path: string, body: object) => {
  const made = await request('POST', path, { name: 'x', ...body });
  expect(made.status).toBe(201);
  return made.body as { id: string; pingUrl: string };
};
const named = (warning: string) => /--roles (\w+)/.exec(warning)?.[1];

test('a node does only the work of its roles, and /healthz names the roles that no node has', async () => {
  const channel = await create('/api/notification-channels', { type: 'webhook', config: { url: hook.url } });
  const site = await create('/api/monitors', { type: 'http', url: 'http://127.0.0.1:9/', interval: 1 });
  const job = await create('/api/monitors', { type: 'heartbeat', interval: 10, gracePeriod: 0 });
  await create('/api/alert-rules', { monitorIds: [job.id], channelIds: [channel.id] });
  await fetch(job.pingUrl, { method: 'POST' });
  expect((await health()).roles).toEqual(['api']);
  expect((await unserved()).map(named)).toEqual(['checker', 'deliver', 'housekeeping']);
  // `seen_at` is 0 as long as no node checks from the region. The node that only serves the API does not check.
  const { db } = installation.database.store;
  expect(await db.selectFrom('region').select('seen_at').execute()).toEqual([{ seen_at: 0 }]);
  expect(await statusOf(site.id)).toBe('pending');

  const checker = await installation.join({ UPTIME_ROLES: 'checker' });
  await vi.waitFor(async () => expect(await statusOf(site.id)).toBe('up'), waiting);
  expect((await unserved()).map(named)).toEqual(['deliver', 'housekeeping']);
  // Makes the heartbeat silent for too long. The checker notices that.
  await db
    .updateTable('monitor_state')
    .set({ ping_due_at: 1, silence_review_at: 1 })
    .where('status', '=', 'up')
    .where('allowed_silence_ms', '>', 0)
    .execute();
  await vi.waitFor(async () => expect(await statusOf(job.id)).toBe('down'), waiting);
  const pending = await db.selectFrom('delivery').select(['status', 'attempts']).execute();
  expect(pending).toEqual([{ status: 'pending', attempts: 0 }]);

  await installation.join({ UPTIME_ROLES: 'deliver' });
  await vi.waitFor(() => expect(hook.requests).toHaveLength(1), waiting);
  await installation.join({ UPTIME_ROLES: 'housekeeping' });
  expect(await unserved()).toEqual([]);
  await checker.close();
  expect((await unserved()).map(named)).toEqual(['checker']);
});

test('a node without the role api serves only `/healthz` and `/metrics`, and returns status 503 for everything else', async () => {
  const node: Daemon = await installation.join({ UPTIME_ROLES: 'deliver' });
  const ask = async (path: string) => {
    const answer = await fetch(node.localUrl + path);
    return { status: answer.status, detail: ((await answer.json()) as { detail?: string }).detail };
  };
  expect(await ask('/healthz')).toEqual({ status: 200, detail: undefined });
  const withKey = { headers: { 'x-api-key': installation.first.apiKey } };
  expect(await (await fetch(`${node.localUrl}/metrics`, withKey)).text()).toContain('\nuptime_healthy 1\n');
  const detail = 'This node serves no API: its roles are deliver. Send requests to a node with the role api.';
  for (const path of ['/', '/api/monitors', '/ping/x', '/status/x'])
    expect(await ask(path)).toEqual({ status: 503, detail });
});

test('a silent heartbeat stays up while no node accepts pings', async () => {
  await using other = await startInstallation({}, { runCheck: passingCheck });
  const made = await other.first.request('POST', '/api/monitors', {
    type: 'heartbeat',
    name: 'j',
    interval: 10,
    gracePeriod: 0,
  });
  const { db } = other.database.store;
  await fetch((made.body as { pingUrl: string }).pingUrl, { method: 'POST' });
  await other.join({ UPTIME_ROLES: 'checker' });
  await other.first.close();
  await db.updateTable('monitor_state').set({ ping_due_at: 1, silence_review_at: 1 }).execute();
  // This wait is long enough for the checker to notice the silence several times.
  const looked = Date.now();
  await vi.waitFor(async () => {
    const { seen_at } = await db.selectFrom('region').select('seen_at').executeTakeFirstOrThrow();
    expect(seen_at).toBeGreaterThan(looked + 1500);
  }, waiting);
  expect(await db.selectFrom('monitor_state').select('status').execute()).toEqual([{ status: 'up' }]);
});
