import { describe, expect, test } from 'vitest';
import { bytesTarget, httpTarget, monitorOf, freePort, tcpTarget, testContext } from '../testing/targets/index.ts';
import * as answers from '../testing/targets/http.ts';
import { checkHttp } from './http.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

const context = testContext();

const check = (url: string, fields: object = {}) =>
  checkHttp(monitorOf({ type: 'http', url, timeout: 5, ...fields }), context);

describe('a status', () => {
  test('a status of 200 to 299 passes by default, and the outcome has the status and the times', async () => {
    await using target = await httpTarget(answers.status(204));
    const outcome = await check(target.url);
    expect(outcome).toMatchObject({ verdict: 'up', error: null, statusCode: 204, certificate: null });
    expect(outcome.responseTime).toBeGreaterThan(0);
    expect(outcome.timings).toMatchObject({
      dns: null,
      tls: null,
      connect: expect.any(Number),
      firstByte: expect.any(Number),
    });
    expect(outcome.trace.map(({ event }) => event)).toContain('answered 204 No Content');
  });

  test('a status that is not expected fails as http_status', async () => {
    await using target = await httpTarget(answers.status(503));
    expect(await check(target.url)).toMatchObject({
      verdict: 'down',
      statusCode: 503,
      error: { code: 'http_status', message: 'answered 503 Service Unavailable; expected 200-299' },
    });
    expect(await check(target.url, { expectedStatus: [200, '5xx'] })).toMatchObject({ verdict: 'up' });
  });

  test('a status of 099 is accepted as HTTP, and fails as http_status', async () => {
    await using target = await bytesTarget('HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n');
    expect(await check(`http://127.0.0.1:${target.port}`)).toMatchObject({
      verdict: 'down',
      error: { code: 'http_status' },
    });
  });

  test('a status of 100 or 103, which the request did not ask for, is ignored', async () => {
    await using target = await bytesTarget(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
    );
    expect(await check(`http://127.0.0.1:${target.port}`, { bodyContains: 'ok' })).toMatchObject({
      verdict: 'up',
      statusCode: 200,
    });
  });

  test('a status of 101, which the request did not ask for, fails as http_status', async () => {
    await using target = await bytesTarget(
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'stay',
    );
    const url = `http://127.0.0.1:${target.port}`;
    expect(await check(url)).toMatchObject({ verdict: 'down', statusCode: 101, error: { code: 'http_status' } });
    expect(await check(url, { expectedStatus: 101, bodyContains: 'x' })).toMatchObject({
      error: { code: 'http_body_mismatch' },
    });
  });
});

describe('a request', () => {
  test("a request carries the monitor's method, headers and body", async () => {
    await using target = await httpTarget();
    await check(`${target.url}/path?q=1#part`, {
      method: 'POST',
      body: '{"a":"ä"}',
      headers: { 'X-Own': 'yes', 'User-Agent': 'mine' },
    });
    const [request] = target.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/path?q=1', body: '{"a":"ä"}' });
    expect(request?.headers).toMatchObject({
      host: `127.0.0.1:${target.port}`,
      'x-own': 'yes',
      'user-agent': 'mine',
      'content-type': 'application/json',
      'content-length': '10',
      connection: 'close',
    });
  });

  test("a request sends uptime's user agent, the login of the URL, and the monitor's Host header", async () => {
    await using target = await httpTarget();
    await check(`http://us%20er:p%C3%A4ss@127.0.0.1:${target.port}/`, { headers: { Host: 'other.example' } });
    const headers = target.requests[0]?.headers;
    expect(headers?.['user-agent']).toMatch(/^uptime\/\d/);
    expect(headers?.host).toBe('other.example');
    expect(headers?.authorization).toBe(`Basic ${Buffer.from('us er:päss').toString('base64')}`);
  });

  test('a check with the method HEAD passes, although the response has no body', async () => {
    await using target = await httpTarget(answers.status(200, 'text'));
    expect(await check(target.url, { method: 'HEAD' })).toMatchObject({ verdict: 'up' });
  });
});

describe('redirects', () => {
  test('redirects are followed, and the last response decides the verdict', async () => {
    await using target = await httpTarget(
      answers.routes({ '/': answers.redirect('/b'), '/b': answers.redirect('c', 307), '/c': answers.status(201) }),
    );
    expect(await check(target.url)).toMatchObject({ verdict: 'up', statusCode: 201 });
  });

  test('redirects are not followed when a redirect status (3xx) is expected', async () => {
    await using target = await httpTarget(answers.redirect('/elsewhere', 301));
    expect(await check(target.url, { expectedStatus: '301' })).toMatchObject({ verdict: 'up', statusCode: 301 });
    expect(await check(target.url, { expectedStatus: '200-399' })).toMatchObject({ verdict: 'up', statusCode: 301 });
    expect(target.requests).toHaveLength(2);
  });

  test('redirects are limited to ten', async () => {
    const chain = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`/${i}`, answers.redirect(`/${i + 1}`)]));
    await using target = await httpTarget(answers.routes({ ...chain, '/11': answers.status(200) }));
    expect(await check(`${target.url}/1`)).toMatchObject({ verdict: 'up' });
    expect(await check(`${target.url}/0`)).toMatchObject({
      verdict: 'down',
      statusCode: 302,
      error: { code: 'http_redirect' },
    });
  });

  test.each([['ftp://example.com/'], ['http://'], ['http://[::1'], ['javascript:alert(1)']])(
    'redirects to %s fail as http_redirect',
    async (to) => {
      await using target = await httpTarget(answers.redirect(to));
      expect(await check(target.url)).toMatchObject({ verdict: 'down', error: { code: 'http_redirect' } });
    },
  );

  test('redirects without a Location fail as http_redirect', async () => {
    await using target = await httpTarget(answers.status(302));
    expect(await check(target.url)).toMatchObject({ statusCode: 302, error: { code: 'http_redirect' } });
  });

  test('redirects keep method and body with 307 and 308, and turn POST into GET with 301, 302 and 303', async () => {
    for (const [code, method, body] of [
      [307, 'POST', 'x'],
      [308, 'POST', 'x'],
      [301, 'GET', ''],
      [302, 'GET', ''],
      [303, 'GET', ''],
    ] as const) {
      await using target = await httpTarget(
        answers.routes({ '/': answers.redirect('/b', code), '/b': answers.status(200) }),
      );
      await check(target.url, { method: 'POST', body: 'x' });
      expect(target.requests[1]).toMatchObject({ method, body });
      expect('content-type' in (target.requests[1]?.headers ?? {})).toBe(method === 'POST');
    }
  });

  test("redirects carry the monitor's headers within an origin, and no headers to another origin", async () => {
    await using other = await httpTarget();
    await using target = await httpTarget(
      answers.routes({ '/': answers.redirect('/b'), '/b': answers.redirect(`${other.url}/c`) }),
    );
    const headers = { Authorization: 'Bearer secret', Cookie: 'a=b', 'X-Kept': '1' };
    expect(await check(target.url, { headers })).toMatchObject({ verdict: 'up' });
    expect(target.requests[1]?.headers).toMatchObject({ authorization: 'Bearer secret', cookie: 'a=b', 'x-kept': '1' });
    expect(other.requests[0]?.headers).toEqual({
      host: `127.0.0.1:${other.port}`,
      'user-agent': context.userAgent,
      accept: '*/*',
      connection: 'close',
    });
  });

  test('redirects carry the cookies that earlier responses set, each cookie only to the origin that set it', async () => {
    const cookies = (...set: string[]) => ({ 'set-cookie': set });
    await using other = await httpTarget((request, response) => {
      response.writeHead(302, { location: `${target.url}/back`, ...cookies('theirs=1; Path=/') }).end();
      void request;
    });
    const target = await httpTarget((request, response) => {
      const steps: Record<string, [string, string[]]> = {
        '/': ['/a/b', ['s=1; Path=/; HttpOnly', 'own=set', 'deep=2; Path=/a', 'secret=3; Secure; Path=/']],
        '/a/b': [`${other.url}/`, ['s=4; Path=/', 'gone=; Max-Age=0; Path=/', 'far=5; Domain=elsewhere.example']],
        '/back': ['/end', ['deep=; Path=/a; Expires=Thu, 01 Jan 1970 00:00:00 GMT']],
      };
      const [to, set] = steps[request.url ?? ''] ?? [null, []];
      if (to === null) response.end('ok');
      else response.writeHead(302, { location: to, ...cookies(...set) }).end();
    });
    try {
      const outcome = await check(target.url, { headers: { Cookie: 'own=mine; also=mine; gone=1' } });
      expect(outcome).toMatchObject({ verdict: 'up' });
      expect(target.requests.map(({ url, headers }) => [url, headers.cookie])).toEqual([
        ['/', 'own=mine; also=mine; gone=1'],
        ['/a/b', 'also=mine; gone=1; deep=2; s=1; own=set'],
        ['/back', 'own=set; s=4'],
        ['/end', 'own=set; s=4'],
      ]);
      expect(other.requests[0]?.headers).not.toHaveProperty('cookie');
    } finally {
      await target.close();
    }
  });

  test('redirects keep at most 50 cookies, and drop cookies of more than 4096 characters', async () => {
    const many = Array.from({ length: 400 }, (_, i) => `c${i}=${'x'.repeat(100)}`);
    await using target = await httpTarget(
      answers.routes({
        '/': (_request, response) =>
          void response.writeHead(302, { location: '/b', 'set-cookie': [`long=${'x'.repeat(5000)}`, ...many] }).end(),
        '/b': answers.status(200),
      }),
    );
    expect(await check(target.url)).toMatchObject({ verdict: 'up' });
    expect(target.requests[1]?.headers.cookie?.split('; ')).toHaveLength(50);
    expect(target.requests[1]?.headers.cookie).not.toContain('long');
  });

  test('redirects to an address that is never allowed fail as blocked_target', async () => {
    for (const to of [
      'http://169.254.169.254/latest',
      'http://[::ffff:169.254.169.254]/',
      'http://2852039166/',
      'http://0xa9fea9fe/',
    ]) {
      await using target = await httpTarget(answers.redirect(to));
      expect(await check(target.url)).toMatchObject({ verdict: 'down', error: { code: 'blocked_target' } });
    }
  });
});

describe('a connection', () => {
  test('a connection that is refused fails as connect_refused, over IPv4 and IPv6', async () => {
    const port = await freePort();
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(await check(`http://${host}:${port}/`)).toMatchObject({
        verdict: 'down',
        responseTime: null,
        error: { code: 'connect_refused', message: expect.stringContaining('refused') },
      });
  });

  test('a connection that is reset or closed before an answer fails as reset', async () => {
    await using resets = await tcpTarget((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await using closes = await tcpTarget((socket) => socket.once('data', () => socket.end()));
    for (const target of [resets, closes])
      expect(await check(`http://127.0.0.1:${target.port}/`)).toMatchObject({
        verdict: 'down',
        error: { code: 'reset' },
      });
  });

  test('a check fails as http_protocol if the answer is not HTTP, and as http_incomplete if it breaks off', async () => {
    await using ssh = await bytesTarget('SSH-2.0-OpenSSH_9.9\r\n');
    expect(await check(`http://127.0.0.1:${ssh.port}/`)).toMatchObject({ error: { code: 'http_protocol' } });
    await using half = await bytesTarget('HTTP/1.1 200 OK\r\ncontent-le');
    expect(await check(`http://127.0.0.1:${half.port}/`)).toMatchObject({
      error: { code: 'http_incomplete' },
    });
  });

  test('a check passes if the response has headers of up to 128 KB, and fails as http_too_large with more', async () => {
    const answering = (bytes: number) =>
      bytesTarget(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(bytes)}\r\ncontent-length: 0\r\n\r\n`, 'stay');
    await using large = await answering(127 * 1024);
    expect(await check(`http://127.0.0.1:${large.port}/`)).toMatchObject({ verdict: 'up' });
    await using larger = await answering(129 * 1024);
    expect(await check(`http://127.0.0.1:${larger.port}/`)).toMatchObject({
      error: { code: 'http_too_large', message: expect.stringContaining('128 KB') },
    });
  });

  test('the outcome shows a status text in UTF-8 or in Latin-1 correctly', async () => {
    for (const encoding of ['utf8', 'latin1'] as const) {
      await using target = await tcpTarget((socket) =>
        socket.once('data', () => socket.end(Buffer.from('HTTP/1.1 503 Außer Betrieb\r\n\r\n', encoding))),
      );
      const outcome = await check(`http://127.0.0.1:${target.port}/`);
      expect(outcome.error?.message).toBe('answered 503 Außer Betrieb; expected 200-299');
      expect(outcome.trace.map(({ event }) => event)).toContain('answered 503 Außer Betrieb');
    }
  });

  test('a check without an answer fails as timeout, at most a second after its timeout', async () => {
    await using target = await httpTarget(answers.hang);
    const waiting = startWaiting();
    expect(await check(target.url, { timeout: 3 })).toMatchObject({ verdict: 'down', error: { code: 'timeout' } });
    expect(waiting.ms()).toBeLessThan(boundMs(4000));
  });
});
