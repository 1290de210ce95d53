import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type DnsTarget,
  dnsTarget,
  type HttpTarget,
  httpTarget,
  freePort,
} from '../packages/daemon/src/testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../packages/daemon/src/testing/test-daemon.ts';
import { boundMs } from '../packages/daemon/src/testing/bound-ms.ts';

/*
 * These tests create monitors of unusual servers through the API of a daemon. packages/daemon/src/checks has tests of
 * these cases without a daemon.
 */

let target: HttpTarget;
let other: HttpTarget;
let dns: DnsTarget;
let daemon: TestDaemon;
let hanging = 0;
beforeAll(async () => {
  other = await httpTarget();
  target = await httpTarget((request, response) => {
    const answers: Record<string, () => unknown> = {
      '/slow': () => response.write('it is WELL, and then nothing more'),
      '/too-long': () => response.writeHead(200, { 'content-length': 9999 }).write('it is WELL'),
      '/headers': () => response.writeHead(200, { 'x-large': 'a'.repeat(100_000) }).end(),
      '/login': () => response.writeHead(302, { location: '/in', 'set-cookie': 'sid=1; Path=/' }).end(),
      '/in': () => response.writeHead(request.headers.cookie === 'sid=1' ? 200 : 401).end(),
      '/away': () => response.writeHead(302, { location: `${other.url}/` }).end(),
      '/reason': () => response.writeHead(500, Buffer.from('Größer als erlaubt').toString('latin1')).end(),
      '/hang': () => {
        hanging++;
        response.on('close', () => hanging--);
      },
    };
    answers[request.url ?? '']?.();
  });
  dns = await dnsTarget({ 'two.example': { A: ['127.0.0.1', '127.0.0.2'] } });
  daemon = await createTestDaemon({ env: { UPTIME_DNS_SERVERS: dns.server } });
});
afterAll(async () => {
  await daemon.close();
  await Promise.all([target.close(), other.close(), dns.close()]);
});

const create = (fields: object) =>
  daemon.request('POST', '/api/monitors', { type: 'http', name: 'm', timeout: 5, ...fields });
const check = async (fields: object) => {
  const { status, body } = await create(fields);
  expect(status, JSON.stringify(body)).toBe(201);
  return (await daemon.request('POST', `/api/monitors/${(body as { id: string }).id}/check`)).body;
};

test.each(['/slow', '/too-long'])(
  'on the page %s, a check passes once it has found the text, even if the rest of the body never comes',
  async (path) => {
    const begun = performance.now();
    expect(await check({ url: target.url + path, bodyContains: 'WELL' })).toMatchObject({ status: 'up', error: null });
    expect(performance.now() - begun).toBeLessThan(boundMs(4000));
  },
);

test('a check accepts response headers of 100 KB', async () => {
  expect(await check({ url: `${target.url}/headers` })).toMatchObject({ status: 'up' });
});

test('if a redirect sets a cookie, the next request of the check sends this cookie', async () => {
  expect(await check({ url: `${target.url}/login` })).toMatchObject({ status: 'up', statusCode: 200 });
});

test('after a redirect to another origin, a check sends no header of the monitor', async () => {
  const headers = { 'X-Api-Token': 'token-of-the-shop', Accept: 'text/plain' };
  expect(await check({ url: `${target.url}/away`, headers })).toMatchObject({ status: 'up' });
  expect(target.requests.some((request) => request.headers['x-api-token'] === headers['X-Api-Token'])).toBe(true);
  expect(JSON.stringify(other.requests.map((request) => request.headers))).not.toMatch(/x-api-token|text\/plain/);
});

test('the API refuses HEAD with bodyContains, and the fault names bodyContains', async () => {
  const { status, body } = await create({ url: target.url, method: 'HEAD', bodyContains: 'x' });
  expect({ status, paths: (body as { errors: { path: string }[] }).errors.map(({ path }) => path) }).toEqual({
    status: 400,
    paths: ['bodyContains'],
  });
});

test('the error of a check shows a reason phrase that a server sent in UTF-8', async () => {
  expect(await check({ url: `${target.url}/reason` })).toMatchObject({
    error: { code: 'http_status', message: 'answered 500 Größer als erlaubt; expected 200-299' },
  });
});

test('if every address of a host refuses, the error names all addresses', async () => {
  const port = await freePort();
  const refused = await check({ type: 'tcp', host: 'two.example', port });
  expect(refused).toMatchObject({ status: 'down', error: { code: 'connect_refused' } });
  expect(JSON.stringify(refused)).toMatch(/127\.0\.0\.1.*127\.0\.0\.2/);
});

test.each([
  ['a pause', (path: string) => daemon.request('PATCH', path, { paused: true })],
  ['an edit', (path: string) => daemon.request('PATCH', path, { url: `${target.url}/headers` })],
  ['a delete', (path: string) => daemon.request('DELETE', path)],
])('%s ends a check that hangs, and closes its connection', async (_, change) => {
  const { body } = await create({ url: `${target.url}/hang`, timeout: 60 });
  await vi.waitFor(() => expect(hanging).toBe(1), 20_000);
  expect((await change(`/api/monitors/${(body as { id: string }).id}`)).status).toBeLessThan(300);
  await vi.waitFor(() => expect(hanging).toBe(0), boundMs(3000));
});

test.each(['a..b', '$(id)', '*.de', '256.1.1.1'])('every type of monitor refuses the host %s', async (host) => {
  for (const fields of [
    { type: 'http', url: `http://${host}/` },
    { type: 'dns', hostname: host },
    { type: 'tcp', host, port: 1 },
    { type: 'ping', host },
  ])
    expect({ fields, status: (await create(fields)).status }).toEqual({ fields, status: 400 });
});

test.each([' ', '\u200b', 'a\u202eb'])('a heartbeat refuses the name %j', async (name) => {
  expect((await create({ type: 'heartbeat', name, timeout: undefined })).status).toBe(400);
});

test('a PATCH with the whole answer of a GET changes nothing', async () => {
  const { body } = await create({ url: `${target.url}/headers`, headers: { 'X-Api-Token': 't' }, body: 'x' });
  const path = `/api/monitors/${(body as { id: string }).id}`;
  const read = (await daemon.request('GET', path)).body as { updatedAt: string };
  await delay(5);
  expect(await daemon.request('PATCH', path, read)).toMatchObject({ status: 200, body: { updatedAt: read.updatedAt } });
});
