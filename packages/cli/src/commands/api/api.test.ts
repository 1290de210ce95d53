import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '@uptime/sdk/contract';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../../testing/account.ts';
import { runCommand } from '../../testing/run-command.ts';
import { openSession } from '../../testing/session.ts';
import { callApi } from './api.ts';
import { requestTarget } from './request-target.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

test('requestTarget finds every endpoint of the contract by its path, and returns an address below /api or directly below the site', () => {
  for (const [id, endpoint] of Object.entries(allEndpoints)) {
    const { url, endpoint: found } = requestTarget(endpoint.method, endpoint.path, 'http://uptime.test/base');
    expect([id, found?.summary]).toEqual([id, endpoint.summary]);
    expect(url.href).toBe(`http://uptime.test/base${'site' in endpoint ? '' : '/api'}${endpoint.path}`);
  }
});

test.each([
  'https://elsewhere.example/monitors',
  '//elsewhere.example/monitors',
  '/\\elsewhere.example',
  '\\\\elsewhere.example',
  '/..',
  '/monitors/../../healthz',
  '/monitors/..%2f..%2fhealthz',
  '/monitors/%2E%2e/healthz',
  '/monitors/.%2e/x',
  '/\t/elsewhere.example',
  '/monitors\n',
  '/monitors#x',
  '@elsewhere.example',
  '',
  'monitors',
])('`uptime api` refuses the path %j before it sends anything', async (path) => {
  await using session = await openSession();
  expect(await session.uptime(['api', 'GET', path])).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('is not a path of the API'),
  });
  expect(session.server.requests).toEqual([]);
});

test('an account endpoint gets the session, a project endpoint gets the key, and a public endpoint gets any credential', async () => {
  await using session = await openAccount(daemon, 'api-credentials');
  for (const path of ['/projects', '/auth/sessions', '/monitors', '/usage', '/healthz', '/billing/plans']) {
    expect(await session.uptime(['api', 'GET', path])).toMatchObject({ exit: 0, stderr: '' });
  }
  const ending = await session.uptime(['api', 'POST', '/auth/sign-out']);
  expect(ending).toMatchObject({ exit: 0 });
  expect(await session.uptime(['api', 'GET', '/projects'])).toMatchObject({ exit: 4 });
});

test('--paginate prints all pages of a list as one array', async () => {
  await using session = await openAccount(daemon, 'api-pages');
  for (let i = 0; i < 5; i++)
    await session.uptime(['api', 'POST', '/monitors', '-f', 'type=heartbeat', '-f', `name=Job ${i}`]);
  const { exit, stdout } = await session.uptime(['api', 'GET', '/monitors?limit=2', '--paginate']);
  expect(exit).toBe(0);
  expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual(
    Array.from({ length: 5 }, (_, i) => `Job ${i}`),
  );
  expect(stdout.split('\n')).toHaveLength(8);
});

const answering = (response: () => Response) => ({ siteUrl: 'http://uptime.test', fetch: async () => response() });

test('on a terminal, `uptime api` indents JSON and escapes its control characters; it removes the control characters of any other text', async () => {
  const server = answering(() => Response.json([{ name: 'a\u009bb' }]));
  const { stdout } = await runCommand([callApi], ['api', 'GET', '/monitors'], { terminal: true, server });
  expect(stdout).toBe('[\n  {\n    "name": "a\\u009bb"\n  }\n]\n');
  const page = answering(() => new Response('<b>\u001b[2J', { status: 502 }));
  const broken = await runCommand([callApi], ['api', 'GET', '/monitors'], { terminal: true, server: page });
  expect(broken).toMatchObject({ exit: 1, stdout: '<b>\n' });
});

test('if the server cannot be reached, the error says why', async () => {
  await using session = await openSession();
  session.env['UPTIME_SITE_URL'] = 'http://127.0.0.1:1';
  const { exit, stderr } = await session.uptime(['api', 'GET', '/monitors'], { fetch });
  // `fetch` never connects to port 1, one of the ports that it blocks.
  expect([exit, stderr]).toEqual([1, expect.stringContaining('no answer from http://127.0.0.1:1 (bad port)')]);
});

test('`uptime api` does not follow a redirect, and its error reports Retry-After', async () => {
  const headers = { location: 'https://elsewhere.example/' };
  const away = answering(() => new Response(null, { status: 302, headers }));
  const moved = await runCommand([callApi], ['api', 'GET', '/monitors'], { server: away });
  expect(moved).toMatchObject({ exit: 1, stderr: expect.stringContaining('redirects to https://elsewhere.example/') });
  const busy = answering(() => new Response('{}', { status: 429, headers: { 'retry-after': '7' } }));
  const late = await runCommand([callApi], ['api', 'GET', '/monitors'], { server: busy });
  expect(late).toMatchObject({ exit: 1, stderr: expect.stringContaining('asks to wait 7 s') });
});

test('the fields of a request may be nested, and a field named __proto__ is sent like any other field', async () => {
  const bodies: unknown[] = [];
  const server = {
    siteUrl: 'http://uptime.test',
    fetch: async (_: unknown, init?: RequestInit) => {
      bodies.push(init?.body);
      return Response.json({});
    },
  };
  const send = (...fields: string[]) =>
    runCommand([callApi], ['api', 'POST', '/x', ...fields.flatMap((field) => ['-f', field])], { server });
  await send('a[b][c]=1', 'a[b][d]=2026-01-01', 'l[]=x', 'l[]=true', 'n=null', 't=', 'o={"p":[1]}', '__proto__[x]=1');
  expect(bodies).toEqual([
    '{"a":{"b":{"c":1,"d":"2026-01-01"}},"l":["x",true],"n":null,"t":"","o":{"p":[1]},"__proto__":{"x":1}}',
  ]);
  for (const wrong of [['a=1', 'a[b]=2'], ['a[]=1', 'a[b]=2'], ['a[][b]=1'], ['[a]=1'], ['a[=1'], ['=1'], ['a']])
    expect(await send(...wrong)).toMatchObject({ exit: 2 });
});
