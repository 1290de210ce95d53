import { allEndpoints, type Endpoint, includesScope, type KeyScope, keyScopes, scopeOf } from '@uptime/sdk/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Operation } from '../resources/handler.ts';
import { ask, createWorld, type Param, type World } from '../testing/isolation-world.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
let world: World;
const keys = {} as Record<KeyScope, string>;
/** Keys of this project that give no access: an expired key and a revoked key. */
const closed: Record<string, string> = {};
let foreign: string;

const make = async (project: string, apiKey: string, body: object) => {
  const answer = await daemon.request('POST', `/api/projects/${project}/keys`, body, { apiKey });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; key: string };
};

beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
  const people: Record<'owner' | 'stranger' | 'admin', TestUser> = {
    owner: await daemon.another('owner'),
    stranger: await daemon.another('stranger'),
    admin: daemon,
  };
  let count = 0;
  world = await createWorld(daemon, people, () => ++count);
  // The tests below compare the answers for two keys, so nothing may change between two reads. For that reason,
  // everything is created here, and the tests begin after the first check.
  for (const [, endpoint] of opened) await addressOf(endpoint);
  const status = async () => {
    const { text } = await ask(daemon, 'GET', `/api/monitors/${await world.mine.id('monitorId')}`, {
      headers: { 'x-api-key': world.mine.apiKey },
    });
    return (JSON.parse(text) as { status: string }).status;
  };
  await vi.waitFor(async () => expect(await status()).toBe('up'), { timeout: 10_000 });
  const { project, apiKey } = world.mine;
  for (const scope of keyScopes) keys[scope] = (await make(project, apiKey, { name: scope, scope })).key;
  const expiresAt = '2999-01-01T00:00:00Z';
  const expired = await make(project, apiKey, { name: 'expired', scope: 'full', expiresAt });
  const { db } = daemon.store;
  await db.updateTable('project_key').set({ expires_at: 1 }).where('id', '=', expired.id).execute();
  closed['an expired key'] = expired.key;
  const revoked = await make(project, apiKey, { name: 'revoked', scope: 'full' });
  await daemon.request('DELETE', `/api/projects/${project}/keys/${revoked.id}`, undefined, { apiKey });
  closed['a revoked key'] = revoked.key;
  foreign = (await make(world.theirs.project, world.theirs.apiKey, { name: 'theirs', scope: 'full' })).key;
});
afterAll(() => daemon.close());

const opened = (Object.entries(allEndpoints) as [Operation, Endpoint][]).filter((entry) => scopeOf(entry[1]) !== null);
const cells = opened.flatMap(([operation, endpoint]) =>
  keyScopes.map((scope) => [operation, scope, endpoint] as const),
);

async function addressOf(endpoint: Endpoint): Promise<string> {
  let path = `/api${endpoint.path}`;
  for (const [, name] of endpoint.path.matchAll(/:(\w+)/g)) {
    path = path.replace(`:${name}`, await world.mine.id(name as Param));
  }
  return path;
}

/**
 * Sends a request with a key. If the request would change something, it gets a faulty query, so nothing changes: the
 * server checks the query after the key.
 */
const send = (endpoint: Endpoint, url: string, key: string) =>
  ask(daemon, endpoint.method, endpoint.method === 'GET' ? url : `${url}?fault=1`, {
    headers: { 'x-api-key': key },
    ...(endpoint.body && { body: {} }),
  });

test.each(cells)('%s with a key of the scope %s returns what the scope allows', async (operation, scope, endpoint) => {
  const url = await addressOf(endpoint);
  const allowed = includesScope(scope, scopeOf(endpoint)!);
  const answer = await send(endpoint, url, keys[scope]);
  if (!allowed) {
    expect(answer.status).toBe(403);
    const { detail } = JSON.parse(answer.text) as { detail: string };
    const needed = scopeOf(endpoint)!;
    for (const part of [`"${needed}"`, `"${scope}"`, `uptime keys create --name <name> --scope ${needed}`]) {
      expect(detail).toContain(part);
    }
    return;
  }
  if (endpoint.method !== 'GET') return expect(answer).toMatchObject({ status: 400 });
  const whole = await send(endpoint, url, world.mine.apiKey);
  expect(whole.status).toBe(200);
  if (operation === 'getCurrentKey') return expect(JSON.parse(answer.text)).toMatchObject({ scope });
  if (scope === 'ping') return;
  // Both keys get the same answer, except that the project's own key is masked in the answer for the other key.
  const own = world.mine.apiKey;
  expect(timeless(answer.text)).toBe(timeless(whole.text.replaceAll(own, `••••${own.slice(-4)}`)));
});

/**
 * Returns an answer without the values that change while the test runs: the times of the last use and of the last
 * report, and an average.
 */
const timeless = (text: string) =>
  text.replaceAll(/"(lastUsedAt|lastSeenAt)":"[^"]+"/g, '"$1":null').replace(/"perMinute":[\d.]+/, '"perMinute":0');

test('a key can make only the changes that its scope includes', async () => {
  const monitor = { type: 'heartbeat', name: 'made by a machine' };
  const path = '/api/monitors';
  const made = await daemon.request('POST', path, monitor, { apiKey: keys.apply });
  expect(made.status).toBe(201);
  const { id } = made.body as { id: string };
  expect((await daemon.request('DELETE', `${path}/${id}`, undefined, { apiKey: keys.read })).status).toBe(403);
  expect((await daemon.request('DELETE', `${path}/${id}`, undefined, { apiKey: keys.apply })).status).toBe(204);
  const renamed = await daemon.request('PATCH', '/api/projects/current', { name: 'x' }, { apiKey: keys.full });
  expect(renamed.status).toBe(200);
});

test('a key with the scope ping finds heartbeats by key and by name, and finds no other monitors', async () => {
  const { apiKey } = world.mine;
  const job = { type: 'heartbeat', name: 'Nightly job', key: 'nightly' };
  const { id, pingUrl } = (await daemon.request('POST', '/api/monitors', job, { apiKey })).body as {
    id: string;
    pingUrl: string;
  };
  const site = { type: 'tcp', name: 'Nightly job', host: 'localhost', port: 1, key: 'site' };
  const other = (await daemon.request('POST', '/api/monitors', site, { apiKey })).body as { id: string };
  const read = async (path: string) => daemon.request('GET', `/api/monitors${path}`, undefined, { apiKey: keys.ping });
  for (const found of ['?key=nightly', '?name=Nightly%20job']) {
    expect(await read(found)).toMatchObject({ status: 200, body: [{ id, pingUrl }] });
  }
  const all = (await read('')).body as { type: string }[];
  expect(new Set(all.map(({ type }) => type))).toEqual(new Set(['heartbeat']));
  expect((await read(`/${id}`)).status).toBe(200);
  expect((await read(`/${other.id}`)).status).toBe(404);
  expect((await read('?key=site')).body).toEqual([]);
});

test.each(opened)('%s refuses keys that are expired, revoked or of another project', async (_, endpoint) => {
  const url = await addressOf(endpoint);
  for (const key of Object.values(closed)) expect((await send(endpoint, url, key)).status).toBe(401);
  if (!endpoint.path.includes(':') || endpoint.method !== 'GET' || url.includes('current')) return;
  expect((await send(endpoint, url, foreign)).status).toBe(404);
});

test('no key opens the routes of accounts and admins', async () => {
  const entries = Object.values(allEndpoints) as Endpoint[];
  const others = entries.filter(({ access }) => access === 'session' || access === 'admin');
  expect(others.length).toBeGreaterThan(5);
  for (const endpoint of others) {
    const url = `/api${endpoint.path.replace(/:\w+/g, 'x')}`;
    for (const scope of keyScopes) expect((await send(endpoint, url, keys[scope])).status).toBe(403);
  }
});
