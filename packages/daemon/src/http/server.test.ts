import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { allEndpoints, type Endpoint } from '@uptime/sdk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../errors.ts';
import { createLog } from '../log.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
const logged: string[] = [];
const log = createLog({ level: 'debug', format: 'json', write: (line) => void logged.push(line) });
beforeAll(async () => {
  daemon = await createTestDaemon({
    runCheck: passingCheck,
    log,
  });
});
afterAll(() => daemon.close());

const create = (body: unknown, headers: Record<string, string> = {}) =>
  daemon.request('POST', '/api/monitors', body, { headers });

test('healthz returns 200 when all is well', async () => {
  const answer = await daemon.request('GET', '/healthz');
  expect(answer).toMatchObject({ status: 200, body: { status: 'ok', reason: null, warnings: [] } });
});

test('an unknown address gets 404, as a problem document', async () => {
  for (const path of ['/nothing', '/api', '/api/nothing', '/api/monitors/', '/api/auth/x', '/ping', '/ping/a/b/c']) {
    const answer = await daemon.request('GET', path);
    expect(answer).toMatchObject({ status: 404, body: { status: 404, code: 'not_found', title: 'Not found' } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect((answer.body as { requestId: string }).requestId).toMatch(/^req_/);
  }
});

test.each([
  ['br', brotliCompressSync],
  ['gzip', gzipSync],
])('the server refuses a body encoded as %s, and does not decode it', async (encoding, encode) => {
  const answer = await fetch(`${daemon.url}/api/monitors`, {
    method: 'POST',
    headers: {
      'x-api-key': daemon.apiKey,
      'content-type': 'application/json',
      'content-encoding': encoding,
    },
    body: encode(JSON.stringify({ type: 'tcp', name: 'encoded', host: '127.0.0.1', port: 1 })),
  });
  expect(answer.status).toBe(415);
  expect(await answer.json()).toMatchObject({ code: 'unsupported_media_type' });
});

test('the refusal of a method lists the methods that the address accepts', async () => {
  for (const [method, path, allow] of [
    ['DELETE', '/api/monitors', 'GET, HEAD, POST'],
    ['PUT', '/api/monitors/mon_1', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/api/auth/sign-in/email', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['PUT', '/ping/x/start', 'GET, HEAD, POST'],
    ['OPTIONS', '/api/projects', 'GET, HEAD, POST'],
    ['DELETE', '/api/projects/prj_1/keys/current', 'GET, HEAD'],
    ['PATCH', '/api/projects/prj_1/keys/current', 'GET, HEAD'],
    ['GET', '/api/projects/prj_1/keys/key_1?x=/', 'DELETE'],
    ['POST', '/status/a/b/c/d', 'GET, HEAD'],
  ] as const) {
    const answer = await daemon.request(method, path);
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe(allow);
  }
});

test('every endpoint exists, and an endpoint that needs a credential returns 401 without it', async () => {
  for (const [operation, endpoint] of Object.entries<Endpoint>(allEndpoints)) {
    const path = `${endpoint.site ? '' : '/api'}${endpoint.path.replace(/:\w+/g, 'x')}`;
    const open = endpoint.access === 'public' || endpoint.access === 'ping';
    const bare = await daemon.request(endpoint.method, path, undefined, { apiKey: null });
    expect([operation, bare.status === 401]).toEqual([operation, !open]);
    expect([operation, bare.status < 500]).toEqual([operation, true]);
  }
});

test.each([
  ['{"name":', 'invalid_request'],
  ['', 'invalid_request'],
  ['null', 'invalid_request'],
  ['[]', 'invalid_request'],
  ['"text"', 'invalid_request'],
  ['{"name":"x","type":"heartbeat","__proto__":{"paused":true}}', 'invalid_request'],
  ['{"name":"x","type":"heartbeat","labels":{"__proto__":"x"}}', 'invalid_request'],
  ['{"name":"x","type":"heartbeat","constructor":{"prototype":{}}}', 'invalid_request'],
  ['['.repeat(100_000), 'invalid_request'],
  ['{"a":'.repeat(50_000), 'invalid_request'],
])('the server refuses the body %s', async (body, code) => {
  expect(await create(body)).toMatchObject({ status: 400, body: { code } });
});

test('the server refuses a body that is not UTF-8', async () => {
  const payload = Buffer.concat([
    Buffer.from('{"type":"heartbeat","name":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}'),
  ]);
  const headers = { 'x-api-key': daemon.apiKey, 'content-type': 'application/json' };
  const answer = await daemon.inject({ method: 'POST', url: '/api/monitors', headers, payload });
  expect(answer.statusCode).toBe(400);
});

test('the server accepts JSON with any of its content types, and refuses other content types', async () => {
  const body = '{"type":"heartbeat","name":"typed"}';
  for (const type of [
    'application/json',
    'application/json;charset=utf-8',
    'application/merge-patch+json',
    'Application/JSON',
  ]) {
    expect((await create(body, { 'content-type': type })).status).toBe(201);
  }
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nothing',
    'application/jsonp',
  ]) {
    expect(await create(body, { 'content-type': type })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  }
});

test('the server refuses a body of more than a mebibyte', async () => {
  const answer = await create({ type: 'heartbeat', name: 'x', description: 'y'.repeat(1024 * 1024) });
  expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
});

test('a client that is still sending a long body gets the refusal before the connection closes', async () => {
  const { port, hostname } = new URL(daemon.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const [part, parts] = [Buffer.alloc(65_536, 'x'), 64];
  const head = `POST /api/monitors HTTP/1.1\r\nhost: x\r\nx-api-key: ${daemon.apiKey}\r\n`;
  socket.write(`${head}content-type: application/json\r\ncontent-length: ${part.length * parts}\r\n\r\n`);
  const closed = once(socket, 'close');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  await once(socket, 'end');
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s);
  for (let sent = 0; sent < parts; sent++) await new Promise((written) => socket.write(part, written));
  socket.end();
  expect(await closed).toEqual([false]);
});

test('an endpoint without a body accepts an empty body of any content type', async () => {
  const made = await create({ type: 'ping', name: 'empty', host: 'localhost' });
  const path = `/api/monitors/${(made.body as { id: string }).id}/check`;
  for (const headers of [
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
  ]) {
    const answer = await daemon.inject({
      method: 'POST',
      url: path,
      headers: { 'x-api-key': daemon.apiKey, ...headers },
    });
    expect(answer.statusCode).toBe(200);
  }
});

test.each([
  'limit=0',
  'limit=1001',
  'limit=1.5',
  'limit=',
  'limit=1&limit=2',
  'cursor=nonsense',
  'cursor=',
  'nme=x',
  'name=%00',
  'key[]=x',
])('the server refuses the query %s', async (query) => {
  const answer = await daemon.request('GET', `/api/monitors?${query}`);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{}] } });
});

test('the refusal of an unknown query parameter suggests the most similar known parameter', async () => {
  const { body } = await daemon.request('GET', '/api/monitors?limt=5');
  expect(body).toMatchObject({ errors: [{ path: 'limt', message: expect.stringContaining('`limit`') as string }] });
});

test.each(['%00', '%', '%zz', '%ff', 'mon_%00', '..%2f..%2fetc', 'a'.repeat(5000), "';drop table monitor;--"])(
  'the invalid id %s gets 400 or 404, and causes no server error',
  async (id) => {
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', {}],
      ['DELETE', undefined],
    ] as const) {
      const answer = await daemon.inject({
        method,
        url: `/api/monitors/${id}`,
        headers: { 'x-api-key': daemon.apiKey },
        ...(body && { payload: body }),
      });
      expect([400, 404]).toContain(answer.statusCode);
      expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    }
  },
);

test.each(['', ' ', 'ü', 'x'.repeat(256)])('the server refuses the Idempotency-Key "%s"', async (key) => {
  const answer = await daemon.inject({
    method: 'POST',
    url: '/api/monitors',
    headers: { 'x-api-key': daemon.apiKey, 'idempotency-key': key },
    payload: { type: 'heartbeat', name: 'x' },
  });
  expect(answer.statusCode).toBe(400);
});

test('a request that is not valid HTTP gets a problem document, and the server continues to answer', async () => {
  const { port, hostname } = new URL(daemon.url);
  for (const raw of [
    'hello\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
  ]) {
    const socket = connect(Number(port), hostname);
    socket.end(raw);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('application/problem+json');
  }
  expect((await daemon.request('GET', '/healthz')).status).toBe(200);
});

test('an answer that contains a key may not be cached', async () => {
  const answer = await daemon.request('GET', `/api/projects/${daemon.project.id}`);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

test('the answer for a server error contains no details, and the log contains them', async () => {
  const broken = await createTestDaemon({ runCheck: passingCheck, log });
  try {
    await broken.request('POST', '/api/monitors', { type: 'heartbeat', name: 'job' });
    await broken.store.db.schema.dropTable('schedule').execute();
    const answer = await broken.request('GET', '/api/monitors');
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/schedule|select|sqlite/i);
    const { requestId } = answer.body as { requestId: string };
    expect(logged.find((line) => line.includes(requestId))).toMatch(/no such table/);
  } finally {
    await broken.close();
  }
});

test('the log reports a failure of the store as an error, and a deliberate refusal as a warning', async () => {
  const refusing = await createTestDaemon({ runCheck: passingCheck, log });
  try {
    for (const [cause, level] of [
      [undefined, 'warn'],
      [new Error('disk full'), 'error'],
    ] as const) {
      refusing.store.write = () =>
        Promise.reject(new ServiceError('unavailable', 'Not now.', { retryAfterSeconds: 1, cause }));
      const answer = await refusing.request('POST', '/api/monitors', { type: 'heartbeat', name: 'job' });
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      const { requestId } = answer.body as { requestId: string };
      expect(logged.find((line) => line.includes(requestId))).toContain(`"level":"${level}"`);
    }
  } finally {
    await refusing.close();
  }
});

test('the log contains no keys, cookies or ping addresses', async () => {
  const made = await create({ type: 'heartbeat', name: 'secret' });
  const { pathname } = new URL((made.body as { pingUrl: string }).pingUrl);
  await daemon.request('GET', pathname);
  await daemon.request('GET', '/api/projects', undefined, { cookie: daemon.cookie });
  const all = logged.join('\n');
  expect(all).toContain('/api/projects');
  expect(all).not.toContain(daemon.apiKey);
  expect(all).not.toContain(pathname.split('/').at(-1));
  expect(all).not.toContain(daemon.cookie.split('=')[1]?.slice(0, 20));
});
