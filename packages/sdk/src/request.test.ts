import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  PlanLimitError,
  RateLimitError,
  type RequestEvent,
  ServerError,
  UnauthenticatedError,
  Uptime,
  UptimeError,
} from './index.ts';
import { closers, serve, json, problem, drop, hang, failure } from './testing/served-answers.ts';

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

describe('errors', () => {
  test.each([
    [400, 'invalid_request', BadRequestError],
    [401, 'unauthenticated', UnauthenticatedError],
    [402, 'plan_limit_exceeded', PlanLimitError],
    [403, 'forbidden', ForbiddenError],
    [404, 'not_found', NotFoundError],
    [409, 'conflict', ConflictError],
    [413, 'payload_too_large', ApiError],
    [429, 'rate_limited', RateLimitError],
    [500, 'internal', ServerError],
    [501, 'not_implemented', ServerError],
  ])(
    'an answer with the status %i and the code %s becomes an error of its class, with every field of the problem document',
    async (status, code, type) => {
      const errors = [{ path: 'name', message: 'is required' }];
      const { client } = await serve(problem(status, code, { errors }, { 'retry-after': '7' }));
      const error = await failure(client({ retries: 0 }).monitors.list());
      expect(error).toBeInstanceOf(type);
      expect(error).toBeInstanceOf(UptimeError);
      expect(error).toMatchObject({ status, code, title: 'Title', errors, requestId: 'req_1', retryAfter: 7 });
      expect((error as Error).message).toBe(`It is ${code}.`);
      expect((error as Error).name).toBe(type.name);
    },
  );

  test('the HTML page of a proxy becomes an error with a readable message', async () => {
    const { client } = await serve((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html; charset=utf-8', 'x-request-id': 'px_1' });
      response.end('<html>Bad gateway</html>');
    });
    const error = await failure(client({ retries: 0 }).monitors.list());
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ status: 502, code: 'unexpected_answer', requestId: 'px_1', errors: [] });
    expect((error as Error).message).toBe('GET /monitors returned 502 Bad Gateway (text/html).');
  });

  test('the error for an answer in another format has the message of the answer', async () => {
    const { client } = await serve(json(422, { message: 'The name is too long.' }));
    const error = await failure(client().monitors.list());
    expect(error).toMatchObject({ status: 422, code: 'unexpected_answer', message: 'The name is too long.' });
  });

  test.each(['null', '"text"', '[]', '{"errors": 5, "detail": 7, "requestId": {}}', '{', ''])(
    'the error for an answer with the body %s has the class of the status',
    async (text) => {
      const { client } = await serve((_, response) => response.writeHead(404, 'Not Found').end(text));
      const error = await failure(client().monitors.get('mon_1'));
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({ errors: [], requestId: null });
    },
  );

  test('the error for a successful answer that is not JSON says that the address may be wrong', async () => {
    const { client } = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<html>'));
    const error = await failure(client().monitors.list());
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 200 });
    expect((error as Error).message).toContain('200 OK (text/html), but JSON was expected');
  });

  test('a call with a key does not follow a redirect, and the error names the target of the redirect', async () => {
    const other = await serve(json(200, []));
    const { client } = await serve((_, response) =>
      response.writeHead(301, { location: `${other.siteUrl}/api/monitors?token=hidden` }).end(),
    );
    const error = await failure(client().monitors.list());
    expect((error as Error).message).toContain(`to ${other.siteUrl}/api/monitors, which is not followed`);
    expect((error as Error).message).not.toContain('hidden');
    expect(other.seen).toEqual([]);
  });

  test('the error for a refused connection names the address and the reason, without the key', async () => {
    const { client, siteUrl } = await serve(hang);
    for (const close of closers.splice(0)) await close();
    const error = await failure(client({ retries: 0 }).heartbeats.ping('secret-token'));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toBe(`No answer from ${siteUrl} (ECONNREFUSED): is a server running there?`);
    const text = JSON.stringify(error) + String((error as Error).cause);
    expect(text).not.toMatch(/secret/);
  });

  test('an answer with an incomplete body makes the call throw a ConnectionError', async () => {
    const { client } = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('[{', () => request.socket.destroy());
    });
    expect(await failure(client({ retries: 0 }).monitors.list())).toBeInstanceOf(ConnectionError);
  });
});

describe('a client', () => {
  test('a client sends the key, the project and the headers of the call, and no body with a GET', async () => {
    const { client, seen } = await serve(json(200, []));
    await client({ projectId: 'prj_1' }).monitors.list({ limit: 5, name: 'a b&c' }, { headers: { 'X-Trace': 't' } });
    expect(seen[0]!.line).toBe('GET /api/monitors?limit=5&name=a+b%26c');
    expect(seen[0]!.headers).toMatchObject({ 'x-api-key': 'uptime_secret', 'x-project-id': 'prj_1', 'x-trace': 't' });
    expect(seen[0]!.headers).not.toHaveProperty('content-type');
    expect(seen[0]!.headers).not.toHaveProperty('cookie');
  });

  test('a client sends a session as a cookie, with the origin of the site and without the key of the environment', async () => {
    vi.stubEnv('UPTIME_API_KEY', 'uptime_env');
    const { client, seen, siteUrl } = await serve(json(200, []));
    await client({ apiKey: undefined, session: 's=1' }).projects.list();
    expect(seen[0]!.headers).toMatchObject({ cookie: 's=1', origin: siteUrl });
    expect(seen[0]!.headers).not.toHaveProperty('x-api-key');
  });

  test('a client that signs in gets the user, and a cookie for another client', async () => {
    const { client, seen } = await serve((_, response) => {
      response.setHeader('set-cookie', ['session=abc.def; Path=/; HttpOnly', 'extra=1; Path=/']);
      json(200, { user: { id: 'u1' } })(_, response, '');
    });
    const signedIn = await client().auth.signIn({ email: 'a@example.com', password: 'password' });
    expect(signedIn).toEqual({ user: { id: 'u1' }, cookie: 'session=abc.def; extra=1' });
    await client({ session: signedIn.cookie }).auth.getSession();
    expect(seen[1]!.headers.cookie).toBe('session=abc.def; extra=1');
  });

  test('a client takes address and key from the environment if the options have none', async () => {
    const { siteUrl, seen } = await serve(json(200, []));
    vi.stubEnv('UPTIME_SITE_URL', `${siteUrl}/`);
    vi.stubEnv('UPTIME_API_KEY', 'uptime_env');
    await new Uptime().monitors.list();
    expect(seen[0]!.line).toBe('GET /api/monitors');
    expect(seen[0]!.headers['x-api-key']).toBe('uptime_env');
    await new Uptime({ apiKey: null }).monitors.list();
    expect(seen[1]!.headers).not.toHaveProperty('x-api-key');
  });

  test.each([
    [{ siteUrl: 'http://h/sub/' }, 'http://h/sub/api/monitors', 'http://h/sub/ping/t'],
    [{ siteUrl: 'http://h', baseUrl: 'http://h/v2/' }, 'http://h/v2/monitors', 'http://h/ping/t'],
    [{ baseUrl: 'http://h/x/api/' }, 'http://h/x/api/monitors', 'http://h/x/ping/t'],
    [{ baseUrl: 'http://h/v2' }, 'http://h/v2/monitors', 'http://h/ping/t'],
  ])('a client with the options %j calls the API at %s and sends pings to %s', async (options, api, ping) => {
    const called: string[] = [];
    const fetch = async (input: unknown) => {
      called.push(String(input));
      return Response.json([]);
    };
    const uptime = new Uptime({ ...options, fetch });
    await uptime.monitors.list();
    await uptime.heartbeats.ping('t');
    expect(called).toEqual([api, ping]);
  });

  test('a client escapes an id, so that the id cannot address another resource', async () => {
    const { client, seen } = await serve(json(200, {}));
    await client().monitors.get('../projects/ä?x#y');
    expect(seen[0]!.line).toBe('GET /api/monitors/..%2Fprojects%2F%C3%A4%3Fx%23y');
    for (const id of ['', '.', '..', undefined as never]) {
      await expect(async () => client().monitors.delete(id)).rejects.toBeInstanceOf(UptimeError);
    }
    expect(seen.length).toBe(1);
  });

  test.each([
    { siteUrl: 'localhost:3000' },
    { siteUrl: 'ftp://h' },
    { siteUrl: '' },
    { siteUrl: 'http://user:secret@h' },
    { baseUrl: 'http://h/api?secret=1' },
    { siteUrl: 'http://h', apiKey: 'secret\nx: y' },
    { siteUrl: 'http://h', session: 'secret\u2022' },
  ])('the constructor throws for the invalid options %j, and the error holds no secret', (options) => {
    const make = () => new Uptime(options);
    expect(make).toThrow(UptimeError);
    expect(make).not.toThrow(/secret/);
  });

  test('a printed client shows no credential', () => {
    const uptime = new Uptime({ siteUrl: 'http://h', apiKey: 'uptime_secret' });
    expect(JSON.stringify(uptime)).not.toContain('secret');
    expect(Object.values(uptime).map(String).join()).not.toContain('uptime_secret');
  });

  test('a client reports each attempt, without the token of a ping', async () => {
    const events: RequestEvent[] = [];
    const { client } = await serve(drop, json(200, { ok: true }, { 'x-request-id': 'req_9' }));
    await client({ onRequest: (event) => void events.push(event) }).heartbeats.ping('secret-token');
    expect(events).toMatchObject([
      { method: 'GET', path: '/ping/…', attempt: 1, status: null, requestId: null },
      { method: 'GET', path: '/ping/…', attempt: 2, status: 200, requestId: 'req_9' },
    ]);
    expect(events.every(({ duration }) => duration >= 0)).toBe(true);
  });
});

describe('pings', () => {
  test('a ping goes to the path of its token or to its address, with a signal and metrics', async () => {
    const { client, seen, siteUrl } = await serve(json(200, { ok: true }));
    const { heartbeats } = client();
    await heartbeats.ping('tok');
    await heartbeats.ping('tok', { signal: 'start' });
    await heartbeats.ping('tok', { signal: 0, metrics: { rows: 3 } });
    await heartbeats.ping(`${siteUrl}/else/ping/tok/`, { signal: 'fail' });
    expect(seen.map(({ line, body }) => `${line} ${body}`.trim())).toEqual([
      'GET /ping/tok',
      'GET /ping/tok/start',
      'POST /ping/tok/0 {"rows":3}',
      'GET /else/ping/tok/fail',
    ]);
    expect(seen.every(({ headers }) => headers['x-api-key'] === undefined)).toBe(true);
  });

  test('a ping succeeds with any status 2xx and any body', async () => {
    const { client } = await serve((_, response) => response.end('OK'));
    expect(await client().heartbeats.ping('tok')).toBeUndefined();
  });
});
