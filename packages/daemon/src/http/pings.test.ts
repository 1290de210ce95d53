import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

/** Frees dropped buffers, so that `process.memoryUsage()` does not count them. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

describe.each(databases)('pings on $name', (database) => {
  let daemon: TestDaemon;
  let path: string;
  let id: string;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
    const made = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'job' });
    const { id: monitor, pingUrl } = made.body as { id: string; pingUrl: string };
    id = monitor;
    path = new URL(pingUrl).pathname;
  });
  afterAll(() => daemon.close());

  const ping = (to = '', method = 'GET', body?: unknown, headers: Record<string, string> = {}) =>
    daemon.request(method, path + to, body, { apiKey: null, headers });
  const pings = () => daemon.store.db.selectFrom('ping').selectAll().orderBy('id').execute();

  test.each(['GET', 'HEAD', 'POST'])('a ping by %s is recorded before its answer is sent', async (method) => {
    const before = (await pings()).length;
    const answer = await ping('', method);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(method === 'HEAD' ? undefined : { ok: true });
    expect(await pings()).toHaveLength(before + 1);
  });

  test('a ping with an unknown `Expect` header is recorded', async () => {
    const before = (await pings()).length;
    const { hostname, port } = new URL(daemon.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nExpect: the-unexpected\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await pings()).toHaveLength(before + 1);
  });

  test('the monitor is up at once after a ping', async () => {
    await ping();
    const { body } = await daemon.request('GET', `/api/monitors/${id}`);
    expect(body).toMatchObject({ status: 'up' });
    expect((body as { lastPingAt: unknown }).lastPingAt).not.toBeNull();
  });

  test.each([
    ['/start', { kind: 'start', exit_code: null }],
    ['/fail', { kind: 'failure', exit_code: null }],
    ['/0', { kind: 'success', exit_code: 0 }],
    ['/1', { kind: 'failure', exit_code: 1 }],
    ['/255', { kind: 'failure', exit_code: 255 }],
  ])('a ping to the path %s is recorded as a signal', async (signal, row) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      expect((await ping(signal, method)).status).toBe(200);
      expect((await pings()).at(-1)).toMatchObject(row);
    }
  });

  test.each(['/256', '/-1', '/00', '/01', '/1.5', '/finish', '/START', '/%00', '/1e2', '/'])(
    'a ping to the path %s gets 404 and is not recorded, because the path is not a signal',
    async (signal) => {
      const before = (await pings()).length;
      expect((await ping(signal, 'POST')).status).toBe(404);
      expect(await pings()).toHaveLength(before);
    },
  );

  test.each(['a'.repeat(32), 'short', '%00', '..%2f', 'a'.repeat(5000)])(
    'a ping with the unknown token %s gets 404',
    async (token) => {
      for (const method of ['GET', 'POST']) {
        const answer = await daemon.request(method, `/ping/${token}`, undefined, { apiKey: null });
        expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    },
  );

  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const plain = { 'content-type': 'text/plain' };
  const none = { 'content-type': 'this is no type' };
  const json = { 'content-type': 'application/json; charset=utf-8' };

  test.each([
    ['JSON', '{"rows":12,"host":"a"}', json],
    ['JSON that curl sends as a form', '{"rows":12,"host":"a"}', form],
    ['JSON that is declared as text', '{"rows":12,"host":"a"}', plain],
    ['JSON without a type', ' {"rows":12,"host":"a"}\n', none],
  ])('%s is recorded as the metrics of a ping', async (_, body, headers) => {
    expect((await ping('', 'POST', body, headers)).status).toBe(200);
    expect(JSON.parse((await pings()).at(-1)?.metrics ?? '')).toEqual({ rows: 12, host: 'a' });
  });

  test.each([
    ['an empty body that is declared as JSON', '', json],
    ['an empty form', '', form],
    ['a line of text', 'done in 3 s', plain],
    ['a form', 'a=1&b=2', form],
    ['bytes without a type', 'x', none],
    ['broken JSON that is not declared as JSON', '{"a":', form],
    ['a number as text', '42', plain],
    ['a quoted word as a form', '"ok"', form],
    ['a long log', '[12:00] copied a file\n'.repeat(1000), plain],
    ['a megabyte of text', 'x'.repeat(1024 * 1024), none],
  ])('%s is recorded as a ping without metrics', async (_, body, headers) => {
    expect((await ping('', 'POST', body, headers)).status).toBe(200);
    expect((await pings()).at(-1)?.metrics).toBeNull();
  });

  test('the API returns the metrics of a ping as the job sent them', async () => {
    await ping('/7', 'POST', { seconds: 1.5, note: 'ü "quoted" \u0000', big: 1e300, negative: -0.25 });
    const { body } = await daemon.request('GET', `/api/monitors/${id}/heartbeat-metrics`);
    expect((body as unknown[]).at(-1)).toMatchObject({
      metrics: { seconds: 1.5, note: 'ü "quoted" \u0000', big: 1e300, negative: -0.25 },
      exitCode: 7,
      status: 'failure',
    });
  });

  test('the list of metrics contains each ping that ends a run, with the duration of the run, and no other pings', async () => {
    const made = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'runs' });
    const { pingUrl, id: runs } = made.body as { pingUrl: string; id: string };
    const { pathname } = new URL(pingUrl);
    for (const end of ['', '/fail', '/3']) {
      await daemon.request('GET', `${pathname}/start`);
      await daemon.request('GET', `${pathname}${end}`);
      await daemon.request('GET', pathname);
    }
    const { body } = await daemon.request('GET', `/api/monitors/${runs}/heartbeat-metrics`);
    const duration = expect.any(Number) as number;
    const ended = { metrics: {}, duration, timestamp: expect.any(String) as string };
    expect(body).toEqual([
      { ...ended, status: 'success', exitCode: null },
      { ...ended, status: 'failure', exitCode: null },
      { ...ended, status: 'failure', exitCode: 3 },
    ]);
  });

  test.each([
    ['a nested object', '{"a":{"b":1}}', form, 400],
    ['an object that contains a list', '{"a":[1]}', plain, 400],
    ['an object that contains null', '{"a":null}', json, 400],
    ['an object that contains true', '{"a":true}', json, 400],
    ['a number that is too large', '{"a":1e999}', json, 400],
    ['a list', '[1,2]', form, 400],
    ['a number that is declared as JSON', '42', json, 400],
    ['broken JSON that is declared as JSON', '{"a":', json, 400],
    ['1,025 bytes of JSON', `{"a":"${'x'.repeat(1017)}"}`, json, 413],
    ['1,025 bytes of JSON as a form', `{"a":"${'x'.repeat(1017)}"}`, form, 413],
    ['a long list', `[${'1,'.repeat(600)}1]`, plain, 413],
    ['1,025 bytes that are declared as JSON and are not JSON', 'x'.repeat(1025), json, 413],
    ['more than a megabyte of text', 'x'.repeat(1024 * 1024 + 1), plain, 413],
  ])('a ping with %s is refused, and nothing is recorded', async (_, body, headers, status) => {
    const before = (await pings()).length;
    expect((await ping('', 'POST', body, headers)).status).toBe(status);
    expect(await pings()).toHaveLength(before);
  });

  test('the metrics of a ping may have 1,024 bytes, whatever the number of characters', async () => {
    expect((await ping('', 'POST', `{"a":"${'x'.repeat(1016)}"}`, form)).status).toBe(200);
    expect((await ping('', 'POST', `{"a":"${'ü'.repeat(508)}"}`, form)).status).toBe(200);
    expect((await ping('', 'POST', `{"a":"${'ü'.repeat(509)}"}`, form)).status).toBe(413);
  });

  test('if the declared length of metrics is over the limit, the server refuses the metrics before they arrive', async () => {
    const { port, hostname } = new URL(daemon.url);
    const socket = connect(Number(port), hostname);
    const type = 'content-type: application/json\r\ncontent-length: 1025';
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${type}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s);
  });

  test('unfinished bodies use bounded memory, and pings with a long text are still recorded meanwhile', async () => {
    const { port, hostname } = new URL(daemon.url);
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    const part = Buffer.alloc(500_000, 'x');
    const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname));
    const head = `POST /ping/${'a'.repeat(32)} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n`;
    await Promise.all(
      sockets.map((socket) => new Promise<void>((sent) => socket.write(head, () => socket.write(part, () => sent())))),
    );
    try {
      const count = (await pings()).length;
      // Each answer takes several turns of the event loop. In these turns the server also reads the unfinished bodies.
      for (let turn = 0; turn < 50; turn++)
        expect((await ping('', 'POST', 'a line of a log\n'.repeat(1000), plain)).status).toBe(200);
      expect(await pings()).toHaveLength(count + 50);
      // The collector releases the memory of buffers a little later.
      const held = () => {
        collectGarbage();
        return process.memoryUsage().arrayBuffers - before;
      };
      await expect.poll(held).toBeLessThan(25_000_000);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test('a refusal names every fault in the metrics', async () => {
    const { body } = await ping('', 'POST', { a: null, b: 1, c: {} });
    expect((body as { errors: { path: string }[] }).errors.map((fault) => fault.path)).toEqual(['a', 'c']);
  });

  test('a paused monitor accepts pings, and stays paused', async () => {
    const made = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'rest', paused: true });
    const { pingUrl, id: monitor } = made.body as { pingUrl: string; id: string };
    const before = (await pings()).length;
    expect((await daemon.request('GET', new URL(pingUrl).pathname)).status).toBe(200);
    expect(await pings()).toHaveLength(before + 1);
    expect((await daemon.request('GET', `/api/monitors/${monitor}`)).body).toMatchObject({ status: 'paused' });
  });

  test('the server accepts a body in chunks without a declared length, and refuses the body when it becomes too long', async () => {
    const { port, hostname } = new URL(daemon.url);
    const send = async (chunks: string[]) => {
      const socket = connect(Number(port), hostname);
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`);
      for (const chunk of chunks) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      socket.write('0\r\n\r\n');
      return (await text(socket)).split(' ')[1];
    };
    expect(await send(['{"a"', ':1}'])).toBe('200');
    expect((await pings()).at(-1)?.metrics).toBe('{"a":1}');
    expect(await send(['{"a":"', 'x'.repeat(600), 'y'.repeat(600), '"}'])).toBe('413');
  });
});
