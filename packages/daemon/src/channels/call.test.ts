import { BlockList } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { testChannelContext } from '../testing/messages.ts';
import { httpTarget, redirect, status, tcpTarget, truncated } from '../testing/targets/index.ts';
import { call, type Call, attemptTimeoutMs } from './call.ts';

const context = testChannelContext();

describe('a request', () => {
  test('a request carries JSON or a form, its headers, and a user agent', async () => {
    await using target = await httpTarget();
    await call(context, { url: `${target.url}/a?b=c`, json: { text: 'é' }, headers: { authorization: 'Bearer x' } });
    await call(context, { url: target.url, method: 'PUT', form: { text: 'a b&c' } });
    await call(context, { url: target.url, method: 'GET' });
    const [json, form, bare] = target.requests;
    expect(json).toMatchObject({ method: 'POST', url: '/a?b=c', body: '{"text":"é"}' });
    expect(json!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'uptime/test',
      authorization: 'Bearer x',
    });
    expect(form).toMatchObject({ method: 'PUT', body: 'text=a+b%26c' });
    expect(form!.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(bare).toMatchObject({ method: 'GET', body: '' });
  });

  test('a request sends the credentials in its address as a header, unless it has an authorization header, and the result masks the credentials', async () => {
    const basic = `Basic ${Buffer.from('ops:p@ss').toString('base64')}`;
    await using target = await httpTarget((request, response) => {
      response.writeHead(403).end(`${request.headers.authorization} ops p@ss`);
    });
    const url = `${target.url.replace('://', '://ops:p%40ss@')}/a`;
    expect((await call(context, { url })).text).toBe('HTTP 403 Basic •••• •••• ••••');
    await call(context, { url, headers: { authorization: 'Bearer x' } });
    expect(target.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/a', basic],
      ['/a', 'Bearer x'],
    ]);
  });

  test('a request asks for an answer without compression, and does not decompress the answer', async () => {
    await using target = await httpTarget((_request, response) => {
      response.writeHead(400, { 'content-encoding': 'br' }).end(brotliCompressSync(answer));
    });
    const answer = 'no such channel '.repeat(20);
    const sent = await call(context, { url: target.url });
    expect(sent).toMatchObject({ ok: false, status: 400 });
    expect(sent.text).not.toContain(answer.slice(0, 100));
    expect(target.requests[0]!.headers).not.toHaveProperty('accept-encoding');
  });

  test('a request is not repeated if it is invalid', async () => {
    const impossible: Call[] = [
      { url: 'not an address' },
      { url: 'ftp://127.0.0.1/' },
      { url: 'http://127.0.0.1/', headers: { 'x-name': 'a\r\nx-injected: b' } },
      { url: 'http://127.0.0.1/', headers: { 'bad name': 'a' } },
    ];
    for (const to of impossible)
      expect(await call(context, to)).toMatchObject({ ok: false, retry: false, status: null });
  });

  test('a request never reaches a blocked address, whether its host is a name or an address in any notation', async () => {
    await using target = await httpTarget();
    const blockList = new BlockList();
    blockList.addSubnet('127.0.0.0', 8, 'ipv4');
    blockList.addAddress('::1', 'ipv6');
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])
      expect(await call({ ...context, blockList }, { url: `http://${host}:${target.port}` }), host).toEqual({
        ok: false,
        retry: false,
        retryAfterMs: null,
        status: null,
        text: 'This server does not allow connections to this address. (ERR_IP_BLOCKED)',
      });
    expect(target.requests).toEqual([]);
  });
});

describe('an answer', () => {
  test.each([200, 201, 202, 204])('an answer with status %i is a success', async (code) => {
    await using target = await httpTarget(status(code, code === 204 ? '' : 'fine'));
    expect(await call(context, { url: target.url })).toEqual({
      ok: true,
      status: code,
      text: code === 204 ? '' : 'fine',
    });
  });

  test.each([
    [400, false],
    [401, false],
    [404, false],
    [410, false],
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
  ])('for an answer with status %i, call returns retry: %s', async (code, retry) => {
    await using target = await httpTarget(status(code, 'because'));
    expect(await call(context, { url: target.url })).toEqual({
      ok: false,
      retry,
      retryAfterMs: null,
      status: code,
      text: `HTTP ${code} because`,
    });
  });

  test.each([301, 302, 307, 308])(
    'a redirect with status %i is not followed, and the message may be sent again',
    async (code) => {
      await using target = await httpTarget(redirect('/elsewhere', code));
      expect(await call(context, { url: target.url, headers: { authorization: 'Bearer x' } })).toMatchObject({
        ok: false,
        retry: true,
        text: `HTTP ${code} Redirects are not followed.`,
      });
      expect(target.requests).toHaveLength(1);
    },
  );

  test.each([
    ['120', 120_000],
    [' 3 ', 3000],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', null],
    ['0', null],
    ['-5', null],
    ['soon', null],
  ])('for an answer with `Retry-After: %s`, call returns retryAfterMs: %s', async (after, ms) => {
    const clock = createFakeClock(Date.UTC(2026, 0, 1));
    for (const code of [302, 408, 425, 429, 503]) {
      await using target = await httpTarget(status(code, '', { 'retry-after': after }));
      expect(await call({ ...context, clock }, { url: target.url })).toMatchObject({ retry: true, retryAfterMs: ms });
    }
  });

  test("the body of an answer may contain a wait time, if the channel can read the provider's format", async () => {
    await using target = await httpTarget(status(429, '41'));
    const wait = (body: string) => Number(body);
    expect(await call(context, { url: target.url, retryAfterMsOf: wait })).toMatchObject({ retryAfterMs: 41 });
    expect(await call(context, { url: target.url })).toMatchObject({ retryAfterMs: null });
    await using final = await httpTarget(status(400, '41'));
    expect(await call(context, { url: final.url, retryAfterMsOf: wait })).toMatchObject({
      retry: false,
      retryAfterMs: null,
    });
  });

  test('an answer with status 200 is a refusal if its body reports an error', async () => {
    await using target = await httpTarget(status(200, 'error: no such room'));
    const refusal = (body: string) => (body.startsWith('error') ? body : null);
    expect(await call(context, { url: target.url, refusal })).toEqual({
      ok: false,
      retry: false,
      retryAfterMs: null,
      status: 200,
      text: 'error: no such room',
    });
  });

  test('an answer is shortened to one line of 200 characters', async () => {
    await using target = await httpTarget(status(400, ` {\r\n\t"a": "\u0000${'🚨'.repeat(300)}"\n}`));
    const { text } = await call(context, { url: target.url });
    expect(text).toMatch(/^HTTP 400 \{ "a": " 🚨+…$/u);
    expect(text.length).toBeLessThanOrEqual(200);
    expect(text.isWellFormed()).toBe(true);
  });

  test('an answer is read only in part if it is huge, and its text never shows half of a secret', async () => {
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    await using target = await httpTarget((_, response) => {
      response.on('close', () => closed.resolve());
      const more = () => {
        // `call` reads only the first 64 KiB. They end with `s3cre`, a part of the secret. In the result, all these
        // spaces become one space, so there would be room for `s3cre`.
        while (!response.destroyed && response.write(sent === 0 ? `${' '.repeat(65_531)}s3cret` : ' '.repeat(16_384)))
          sent++;
        response.once('drain', more);
      };
      more();
    });
    expect(await call(context, { url: target.url, secrets: ['s3cret'] })).toMatchObject({ ok: true, text: '' });
    await closed.promise;
  });

  test('the status decides about an answer with an incomplete body, so that accepted messages are not sent again', async () => {
    const refusal = () => 'not what is expected';
    await using cutOff = await httpTarget(truncated);
    expect(await call(context, { url: cutOff.url, refusal })).toEqual({
      ok: true,
      status: 200,
      text: 'only this much',
    });

    const clock = createFakeClock();
    const closed = Promise.withResolvers<void>();
    const dripped = Promise.withResolvers<void>();
    await using dripping = await httpTarget((_, response) => {
      response.on('close', () => closed.resolve());
      // The target and the client share one event loop. The wait lets the client read the first byte before the target
      // sends the second byte.
      response.writeHead(200).write('.', () => setTimeout(() => response.write('.', () => dripped.resolve()), 5));
    });
    const sending = call({ ...context, clock }, { url: dripping.url, refusal });
    await dripped.promise;
    await clock.advance(attemptTimeoutMs);
    expect(await sending).toMatchObject({ ok: true, status: 200 });
    await closed.promise;
  });

  test('the secrets in an answer are masked before the answer is shortened', async () => {
    await using target = await httpTarget(status(403, `${'.'.repeat(185)}s3cret`));
    const { text } = await call(context, { url: target.url, secrets: ['s3cret'] });
    expect(text).toBe(`HTTP 403 ${'.'.repeat(185)}••••`);
  });
});

test('each request has a connection of its own', async () => {
  let connections = 0;
  await using target = await tcpTarget((socket) => {
    connections++;
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
  });
  for (let n = 0; n < 3; n++) await call(context, { url: `http://127.0.0.1:${target.port}` });
  expect(connections).toBe(3);
  await using server = await httpTarget();
  await call(context, { url: server.url });
  expect(server.requests[0]!.headers.connection).toBe('close');
});
