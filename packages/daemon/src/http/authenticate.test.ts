import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
});
afterAll(() => daemon.close());

test.each<[string, Record<string, string>]>([
  ['no credential', {}],
  ['a text that is not a key', { 'x-api-key': 'hello' }],
  ['an unknown key', { 'x-api-key': `uptime_${'a'.repeat(40)}` }],
  ['a key whose letters have the other case', { 'x-api-key': 'KEY' }],
  ['an empty key', { 'x-api-key': '' }],
  ['an unknown bearer token', { authorization: `Bearer uptime_${'a'.repeat(40)}` }],
  ['basic credentials', { authorization: 'Basic YWRhOnB3' }],
  ['a forged cookie', { cookie: 'uptime.session_token=abc.def' }],
])('a request with %s gets 401', async (_, headers) => {
  const sent =
    'x-api-key' in headers && headers['x-api-key'] === 'KEY' ? { 'x-api-key': swapCase(daemon.apiKey) } : headers;
  for (const path of ['/api/monitors', '/api/projects', `/api/projects/${daemon.project.id}`, '/api/incidents']) {
    const answer = await daemon.request('GET', path, undefined, {
      apiKey: null,
      headers: sent,
    });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  }
});

const swapCase = (text: string) =>
  text
    .replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
    .replace(/^[^_]+/, 'uptime');

test('the server refuses an unknown caller before it reads the body', async () => {
  const answer = await daemon.request('POST', '/api/monitors', 'x'.repeat(3_000_000), { apiKey: null });
  expect(answer.status).toBe(401);
});

test('endpoints that need a session refuse a key', async () => {
  for (const [method, path] of [
    ['GET', '/api/projects'],
    ['POST', '/api/projects'],
    ['GET', '/api/billing/subscription'],
    ['POST', '/api/billing/plans'],
  ] as const) {
    expect(await daemon.request(method, path)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  }
});

test('a key opens only its own project, by id and as `current`', async () => {
  const { project } = await daemon.another('somebody');
  expect(await daemon.request('GET', '/api/projects/current')).toMatchObject({
    status: 200,
    body: { id: daemon.project.id },
  });
  expect((await daemon.request('GET', `/api/projects/${project.id}`)).status).toBe(404);
  // A session opens many projects, so none of them is the current one.
  expect((await daemon.request('GET', '/api/projects/current', undefined, { cookie: daemon.cookie })).status).toBe(404);
});

test('a key works as a bearer token, whatever the case of the word "Bearer"', async () => {
  for (const authorization of [`Bearer ${daemon.apiKey}`, `bearer  ${daemon.apiKey} `]) {
    const answer = await daemon.request('GET', '/api/monitors', undefined, {
      apiKey: null,
      headers: { authorization },
    });
    expect(answer.status).toBe(200);
  }
});

test('a key takes precedence over a cookie in the same request', async () => {
  const { cookie } = await daemon.another('beside');
  const headers = { 'x-api-key': daemon.apiKey };
  const answer = await daemon.request('GET', '/api/projects/current', undefined, { cookie, headers });
  expect(answer).toMatchObject({ status: 200, body: { id: daemon.project.id } });
  const sessions = await daemon.request('GET', '/api/auth/sessions', undefined, { cookie, headers });
  expect(sessions.status).toBe(403);
});

test('endpoints for admins refuse other accounts', async () => {
  const { cookie } = await daemon.another('plain');
  expect((await daemon.request('POST', '/api/billing/plans', {}, { cookie })).status).toBe(403);
  expect((await daemon.request('POST', '/api/billing/plans', {}, { cookie: daemon.cookie })).status).toBe(400);
});

test('a session can use the same endpoints as a key, in the project that the header x-project-id names', async () => {
  const { cookie, project } = daemon;
  const headers = { 'x-project-id': project.id };
  const fields = { type: 'heartbeat', name: 'by session' };
  const made = await daemon.request('POST', '/api/monitors', fields, { cookie, headers });
  expect(made).toMatchObject({ status: 201, body: { projectId: project.id } });
  const unnamed = await daemon.request('GET', '/api/monitors', undefined, { cookie });
  expect(unnamed).toMatchObject({ status: 400, body: { errors: [{ path: 'x-project-id' }] } });
  const unknown = await daemon.request('GET', '/api/monitors', undefined, {
    cookie,
    headers: { 'x-project-id': 'prj_x' },
  });
  expect(unknown.status).toBe(404);
});

describe('calls with a cookie that change something', () => {
  const from = async (headers: Record<string, string>) =>
    (await daemon.request('POST', '/api/projects', { name: 'x' }, { cookie: daemon.cookie, headers })).status;

  test('a state-changing call with a cookie is accepted from the site itself, and from clients that are not browsers', async () => {
    expect(await from({})).toBe(201);
    expect(await from({ origin: daemon.url })).toBe(201);
    expect(await from({ origin: daemon.url, 'sec-fetch-site': 'same-origin' })).toBe(201);
    expect(await from({ 'sec-fetch-site': 'none' })).toBe(201);
    expect(await from({ referer: `${daemon.url}/status/shop` })).toBe(201);
    // The server reads `referer` only if the request has neither `origin` nor `sec-fetch-site`.
    expect(await from({ referer: 'https://evil.example/x', origin: daemon.url })).toBe(201);
    expect(await from({ referer: 'https://evil.example/x', 'sec-fetch-site': 'same-origin' })).toBe(201);
  });

  test.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { referer: 'http://evil.example/x' },
    { referer: 'http://127.0.0.1:1/' },
    { referer: 'about:blank' },
    { referer: '/status/shop' },
    { referer: 'nonsense' },
    { referer: '' },
  ])(
    'a state-changing call with a cookie gets 403 if the headers %o show that it comes from another site',
    async (headers) => {
      expect(await from(headers)).toBe(403);
      const signOut = await daemon.request('POST', '/api/auth/sign-out', undefined, { cookie: daemon.cookie, headers });
      expect(signOut.status).toBe(403);
      expect((await daemon.request('GET', '/api/projects', undefined, { cookie: daemon.cookie, headers })).status).toBe(
        200,
      );
      expect((await daemon.request('PATCH', `/api/projects/${daemon.project.id}`, {}, { headers })).status).toBe(200);
    },
  );
});
