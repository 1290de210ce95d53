import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Daemon } from '../daemon.ts';
import { authTables } from '../store/auth-tables.ts';
import { type Installation, startInstallation } from '../testing/installation.ts';
import { passingCheck } from '../testing/passing-check.ts';

let installation: Installation;
let nodes: string[];
let other: Daemon;
beforeAll(async () => {
  const env = { UPTIME_RATE_LIMIT: 'on' };
  installation = await startInstallation({ env }, { runCheck: passingCheck });
  other = await installation.join();
  nodes = [installation.first.url, other.localUrl];
});
afterAll(() => installation[Symbol.asyncDispose]());

/** Sends a request to one of the two nodes: to the first if `at` is even, and to the second if it is odd. */
const send = async (at: number, method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(nodes[at % nodes.length]! + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown>,
    cookies: answer.headers.getSetCookie(),
  };
};
const withKey = () => ({ 'x-api-key': installation.first.apiKey });

test('all nodes share one limit for guesses at a password', async () => {
  const guess = (at: number) =>
    send(at, 'POST', '/api/auth/sign-in/email', { email: 'guessed@example.com', password: `guess ${at}` });
  const statuses = [];
  for (let at = 0; at < 24; at++) statuses.push((await guess(at)).status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(14);
});

test('a session that began on one node is valid on the other node, and a sign-out ends it on both nodes at once', async () => {
  const { cookie } = installation.first;
  expect((await send(1, 'GET', '/api/auth/sessions', undefined, { cookie })).status).toBe(200);
  const eve = await installation.first.another('eve');
  expect((await send(1, 'POST', '/api/auth/sign-out', {}, { cookie: eve.cookie })).status).toBeLessThan(300);
  for (const at of [0, 1])
    expect((await send(at, 'GET', '/api/projects', undefined, { cookie: eve.cookie })).status).toBe(401);
});

test('requests with the same idempotency key create only one monitor, although both nodes get them at once', async () => {
  const body = { type: 'heartbeat', name: 'once' };
  const headers = { ...withKey(), 'idempotency-key': 'one' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => send(at, 'POST', '/api/monitors', body, headers)),
  );
  expect(new Set(answers.map(({ status, body: made }) => `${status} ${String(made['id'])}`)).size).toBe(1);
});

test('when one node revokes a key, the other node refuses the key too', async () => {
  const { project } = installation.first;
  const made = await send(0, 'POST', `/api/projects/${project.id}/keys`, { name: 'ci', scope: 'read' }, withKey());
  expect(made.status).toBe(201);
  const { key, id } = made.body as { key: string; id: string };
  const read = () => send(1, 'GET', '/api/monitors', undefined, { 'x-api-key': key });
  expect((await read()).status).toBe(200);
  await send(0, 'DELETE', `/api/projects/${project.id}/keys/${id}`, undefined, withKey());
  expect((await read()).status).toBe(401);
});

test('when one node changes or deletes a page, the other node soon shows the change', async () => {
  const page = { name: 'before', slug: 'shared' };
  const { body } = await send(0, 'POST', '/api/status-pages', page, withKey());
  const shown = async (at: number) => {
    const answer = await fetch(`${nodes[at]!}/status/shared`);
    const text = await answer.text();
    return answer.status === 200 ? /before|after/.exec(text)?.[0] : answer.status;
  };
  for (const at of [0, 1]) expect(await shown(at)).toBe('before');
  await send(0, 'PATCH', `/api/status-pages/${String(body['id'])}`, { name: 'after' }, withKey());
  await vi.waitFor(async () => expect(await shown(1)).toBe('after'), 10_000);
  await send(0, 'DELETE', `/api/status-pages/${String(body['id'])}`, undefined, withKey());
  await vi.waitFor(async () => expect(await shown(1)).toBe(404), 10_000);
});

test('a check on request can run on either node, and both nodes show its result', async () => {
  const monitor = { type: 'http', name: 'asked', url: 'http://127.0.0.1:9/', interval: 86_400 };
  const { body } = await send(0, 'POST', '/api/monitors', monitor, withKey());
  const path = `/api/monitors/${String(body['id'])}`;
  // The test waits for the first scheduled check. The next scheduled check is a day later, so it does not disturb the
  // requested checks.
  await vi.waitFor(
    async () => expect(await send(0, 'GET', path, undefined, withKey())).toMatchObject({ body: { status: 'up' } }),
    20_000,
  );
  for (const at of [0, 1]) {
    const checked = await send(at, 'POST', `${path}/check`, undefined, withKey());
    expect(checked.status).toBe(200);
    const seen = await send(at + 1, 'GET', path, undefined, withKey());
    expect(seen.body).toMatchObject({ status: 'up', lastCheckedAt: checked.body['checkedAt'] });
  }
});

test('only one of the first accounts becomes admin, although both nodes take sign-ups', async () => {
  await using plain = await startInstallation({}, { runCheck: passingCheck });
  const urls = [plain.first.url, (await plain.join()).localUrl];
  const { db } = plain.database.store;
  const signUp = async (at: number, round: number) => {
    const answer = await fetch(`${urls[at % 2]!}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'p', email: `p${at}.${round}@example.com`, password: 'correct horse' }),
    });
    expect(answer.status).toBe(200);
  };
  for (let round = 0; round < 4; round++) {
    await authTables(db).deleteFrom('user').execute();
    await Promise.all(Array.from({ length: 4 }, (_, at) => signUp(at, round)));
    const users = await authTables(db).selectFrom('user').select('role').execute();
    expect(users.map(({ role }) => role).toSorted()).toEqual(['admin', 'user', 'user', 'user']);
  }
});
