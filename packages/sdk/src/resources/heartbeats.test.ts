import { afterEach, describe, expect, test } from 'vitest';
import { BadRequestError, NotFoundError, UptimeError } from '../index.ts';
import { closers, drop, failure, json, problem, serve } from '../testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('a ping by its token', () => {
  test.each([
    ['a run that ended', {}, 'GET /ping/tok', ''],
    ['a run that began', { signal: 'start' }, 'GET /ping/tok/start', ''],
    ['a run that failed', { signal: 'fail' }, 'GET /ping/tok/fail', ''],
    ['an exit code of zero', { signal: 0 }, 'GET /ping/tok/0', ''],
    ['an exit code of 255', { signal: 255 }, 'GET /ping/tok/255', ''],
    ['metrics', { metrics: { rows: 3, host: 'db1' } }, 'POST /ping/tok', '{"rows":3,"host":"db1"}'],
    ['an empty object of metrics', { metrics: {} }, 'POST /ping/tok', '{}'],
    ['an exit code with metrics', { signal: 2, metrics: { rows: 0 } }, 'POST /ping/tok/2', '{"rows":0}'],
  ] as const)('a ping by its token reports %s', async (_, ping, line, body) => {
    const { client, seen } = await serve(json(200, { ok: true }));
    expect(await client().heartbeats.ping('tok', ping)).toBeUndefined();
    expect(seen).toMatchObject([{ line, body }]);
  });

  test('a ping by its token sends no API key, session or project', async () => {
    const { client, seen } = await serve(json(200, { ok: true }));
    await client({ projectId: 'prj_1' }).heartbeats.ping('tok');
    await client({ apiKey: null, session: 's=1' }).heartbeats.ping('tok');
    for (const { headers } of seen)
      for (const name of ['x-api-key', 'x-project-id', 'cookie', 'origin']) expect(headers).not.toHaveProperty(name);
  });

  test('a ping escapes its token, so that the token cannot address another path', async () => {
    const { client, seen } = await serve(json(200, { ok: true }));
    await client().heartbeats.ping('../api/projects', { signal: 'start' });
    expect(seen[0]!.line).toBe('GET /ping/..%2Fapi%2Fprojects/start');
  });
});

describe('a ping by its address', () => {
  test.each([
    ['', '/ping/tok', '/ping/tok/start'],
    ['/', '/ping/tok/', '/ping/tok/start'],
    ['?source=cron', '/ping/tok?source=cron', '/ping/tok/start?source=cron'],
  ])('a ping to an address that ends with %j goes to that address', async (end, plain, started) => {
    const { client, seen, siteUrl } = await serve(json(200, { ok: true }));
    const elsewhere = client({ siteUrl: 'http://127.0.0.1:1' });
    await elsewhere.heartbeats.ping(`${siteUrl}/ping/tok${end}`);
    await elsewhere.heartbeats.ping(`${siteUrl}/ping/tok${end}`, { signal: 'start' });
    expect(seen.map(({ line }) => line)).toEqual([`GET ${plain}`, `GET ${started}`]);
  });

  test('a ping follows a redirect, because the request has no API key or session', async () => {
    const { client, seen, siteUrl } = await serve(
      (_, response) => response.writeHead(308, { location: '/new/tok' }).end(),
      json(200, { ok: true }),
    );
    await client().heartbeats.ping(`${siteUrl}/ping/tok`, { metrics: { rows: 1 } });
    expect(seen.map(({ line, body }) => `${line} ${body}`)).toEqual([
      'POST /ping/tok {"rows":1}',
      'POST /new/tok {"rows":1}',
    ]);
  });

  test('a ping to an address that is not a URL throws an error without the address, because the address is a secret', async () => {
    const { client } = await serve(json(200, { ok: true }));
    const ping = async () => client().heartbeats.ping('http://[secret-token');
    await expect(ping).rejects.toBeInstanceOf(UptimeError);
    await expect(ping).rejects.toThrow('The ping address is not a URL.');
  });
});

describe('a ping that fails', () => {
  test.each([false, true])(
    'a ping is sent again after a broken connection and after the status 503 (with metrics: %s)',
    async (hasMetrics) => {
      const { client, seen } = await serve(
        drop,
        problem(503, 'unavailable', {}, { 'retry-after': '0' }),
        json(200, {}),
      );
      await client().heartbeats.ping('tok', hasMetrics ? { metrics: { rows: 1 } } : {});
      expect(seen).toHaveLength(3);
      expect(new Set(seen.map(({ line, body }) => line + body)).size).toBe(1);
    },
  );

  test('a ping that fails throws an error of the class for the status, without the token in the message', async () => {
    const unknown = await serve((_, response) => response.writeHead(404, 'Not Found').end('gone'));
    const error = await failure(unknown.client().heartbeats.ping('secret-token', { signal: 'fail' }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect((error as Error).message).toBe('GET /ping/… returned 404 Not Found (no content type).');
    const refused = await serve(problem(400, 'invalid_request', { errors: [{ path: 'a', message: 'must be flat' }] }));
    const bad = await failure(refused.client().heartbeats.ping('tok', { metrics: { a: 'x' } }));
    expect(bad).toBeInstanceOf(BadRequestError);
    expect(bad).toMatchObject({ errors: [{ path: 'a', message: 'must be flat' }] });
    expect(refused.seen).toHaveLength(1);
  });

  test.each(['', '.', '..'])('a ping with the token %j throws before anything is sent', async (token) => {
    const { client, seen } = await serve(json(200, { ok: true }));
    await expect(async () => client().heartbeats.ping(token)).rejects.toThrow('An id is missing.');
    expect(seen).toEqual([]);
  });
});
