import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  AbortedError,
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
  TimeoutError,
  UnauthenticatedError,
  Uptime,
  UptimeError,
  type UptimeOptions,
} from './index.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

/** Starts a real server that answers the n-th request with the n-th handler, and all later ones with the last. */
async function serve(...handlers: Handler[]) {
  const seen: { line: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      handlers[Math.min(seen.length, handlers.length) - 1]!(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const siteUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (options: UptimeOptions = {}) => new Uptime({ siteUrl, apiKey: 'uptime_secret', ...options });
  return { seen, siteUrl, client };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
const problem = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  json(
    status,
    { type: 'about:blank', title: 'Title', status, detail: `It is ${code}.`, code, requestId: 'req_1', ...more },
    { 'content-type': 'application/problem+json', ...headers },
  );
const drop: Handler = (request) => void request.socket.destroy();
const hang: Handler = () => {};
const now = { 'retry-after': '0' };

/** The error that a promise rejects with. */
const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.unreachable(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );

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
  ])('%i %s becomes an error of its own class, with every field of the problem', async (status, code, type) => {
    const errors = [{ path: 'name', message: 'is required' }];
    const { client } = await serve(problem(status, code, { errors }, { 'retry-after': '7' }));
    const error = await failure(client({ retries: 0 }).monitors.list());
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(UptimeError);
    expect(error).toMatchObject({ status, code, title: 'Title', errors, requestId: 'req_1', retryAfter: 7 });
    expect((error as Error).message).toBe(`It is ${code}.`);
    expect((error as Error).name).toBe(type.name);
  });

  test('the page of a proxy becomes an error with a readable message', async () => {
    const { client } = await serve((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html; charset=utf-8', 'x-request-id': 'px_1' });
      response.end('<html>Bad gateway</html>');
    });
    const error = await failure(client({ retries: 0 }).monitors.list());
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ status: 502, code: 'unexpected_answer', requestId: 'px_1', errors: [] });
    expect((error as Error).message).toBe('GET /monitors returned 502 Bad Gateway (text/html).');
  });

  test('an error in another format keeps its message', async () => {
    const { client } = await serve(json(422, { message: 'The name is too long.' }));
    const error = await failure(client().monitors.list());
    expect(error).toMatchObject({ status: 422, code: 'unexpected_answer', message: 'The name is too long.' });
  });

  test.each(['null', '"text"', '[]', '{"errors": 5, "detail": 7, "requestId": {}}', '{', ''])(
    'an error with the body %s has the class of its status',
    async (text) => {
      const { client } = await serve((_, response) => response.writeHead(404, 'Not Found').end(text));
      const error = await failure(client().monitors.get('mon_1'));
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({ errors: [], requestId: null });
    },
  );

  test('the error for a success that is not JSON says that the address may be wrong', async () => {
    const { client } = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<html>'));
    const error = await failure(client().monitors.list());
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 200 });
    expect((error as Error).message).toContain('200 OK (text/html), but JSON was expected');
  });

  test('a redirect is not followed with a key, and the error names its target', async () => {
    const other = await serve(json(200, []));
    const { client } = await serve((_, response) =>
      response.writeHead(301, { location: `${other.siteUrl}/api/monitors?token=hidden` }).end(),
    );
    const error = await failure(client().monitors.list());
    expect((error as Error).message).toContain(`to ${other.siteUrl}/api/monitors, which is not followed`);
    expect((error as Error).message).not.toContain('hidden');
    expect(other.seen).toEqual([]);
  });

  test('the error for a refused connection names address and reason, and no secret', async () => {
    const { client, siteUrl } = await serve(hang);
    for (const close of closers.splice(0)) await close();
    const error = await failure(client({ retries: 0 }).heartbeats.ping('secret-token'));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toBe(`No answer from ${siteUrl} (ECONNREFUSED): is a server running there?`);
    const told = JSON.stringify(error) + String((error as Error).cause);
    expect(told).not.toMatch(/secret/);
  });

  test('an incomplete body is a connection error', async () => {
    const { client } = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('[{', () => request.socket.destroy());
    });
    expect(await failure(client({ retries: 0 }).monitors.list())).toBeInstanceOf(ConnectionError);
  });
});

describe('retries', () => {
  test.each([408, 425, 429, 502, 503, 504])('%i is retried, twice by default', async (status) => {
    const { client, seen } = await serve(problem(status, 'unavailable', {}, now));
    expect(await failure(client().monitors.list())).toMatchObject({ status });
    expect(seen.length).toBe(3);
  });

  test.each([400, 401, 402, 403, 404, 409, 413, 415, 500, 501])('%i is not retried', async (status) => {
    const { client, seen } = await serve(problem(status, 'x', {}, now));
    await failure(client().monitors.list());
    expect(seen.length).toBe(1);
  });

  test('a broken connection is retried with the same idempotency key and body', async () => {
    const { client, seen } = await serve(drop, problem(503, 'unavailable', {}, now), json(201, { id: 'mon_1' }));
    const monitor = await client().monitors.create({ type: 'ping', name: 'Router', host: '10.0.0.1' });
    expect(monitor.id).toBe('mon_1');
    expect(seen.map(({ line }) => line)).toEqual(Array(3).fill('POST /api/monitors'));
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(new Set(seen.map(({ body }) => body))).toEqual(
      new Set(['{"type":"ping","name":"Router","host":"10.0.0.1"}']),
    );
    expect(seen[0]!.headers['content-type']).toBe('application/json');
  });

  test('each create has its own key, unless the caller gives one', async () => {
    const { client, seen } = await serve(json(201, { id: 'prj_1' }));
    await client().projects.create({ name: 'a' });
    await client().projects.create({ name: 'a' });
    await client().projects.create({ name: 'a' }, { idempotencyKey: 'mine' });
    const [first, second, third] = seen.map(({ headers }) => headers['idempotency-key']);
    expect(first).not.toBe(second);
    expect(third).toBe('mine');
  });

  test('a POST that creates nothing is not retried', async () => {
    const { client, seen } = await serve(problem(503, 'unavailable', {}, now));
    await failure(client().channels.test('chn_1'));
    await failure(client().auth.signIn({ email: 'a@example.com', password: 'password' }));
    expect(seen.length).toBe(2);
    expect(seen.every(({ headers }) => headers['idempotency-key'] === undefined)).toBe(true);
  });

  test('an update with a timeline entry is not retried; other updates are', async () => {
    const entry = await serve(drop);
    await failure(entry.client().incidents.update('inc_1', { status: 'resolved', message: 'The cable is back.' }));
    expect(entry.seen.length).toBe(1);
    const change = await serve(drop, json(200, { id: 'inc_1' }));
    await change.client().incidents.update('inc_1', { status: 'resolved' });
    expect(change.seen.length).toBe(2);
  });

  test('a delete with a lost answer succeeds if the next attempt gets 404', async () => {
    const { client, seen } = await serve(drop, problem(404, 'not_found'));
    await client().monitors.delete('mon_1');
    expect(seen.length).toBe(2);
    const other = await serve(problem(404, 'not_found'));
    expect(await failure(other.client().monitors.delete('mon_1'))).toBeInstanceOf(NotFoundError);
  });

  test('the retries of a call override those of the client', async () => {
    const { client, seen } = await serve(problem(503, 'unavailable', {}, now));
    await failure(client({ retries: 1 }).monitors.list());
    expect(seen.length).toBe(2);
    await failure(client({ retries: 1 }).monitors.list({}, { retries: 0 }));
    expect(seen.length).toBe(3);
  });

  /** Creates a fetch that answers at once, for tests with a fake clock. */
  const answering = (...answers: (() => Response)[]) => {
    const times: number[] = [];
    const fetch = async () => {
      times.push(Date.now());
      return answers[Math.min(times.length, answers.length) - 1]!();
    };
    return { times, fetch };
  };
  const ok = () => Response.json([]);
  const busy = (retryAfter: string) => () => new Response('', { status: 429, headers: { 'retry-after': retryAfter } });

  test.each([
    ['seconds', () => '3'],
    ['a date', () => new Date(Date.now() + 3000).toUTCString()],
  ])('a Retry-After in %s is obeyed', async (_, header) => {
    vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
    const { fetch, times } = answering(busy(header()), ok);
    const done = new Uptime({ siteUrl: 'http://uptime.test', apiKey: null, fetch }).monitors.list();
    await vi.advanceTimersByTimeAsync(2999);
    expect(times.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await done).toEqual([]);
    expect(times[1]! - times[0]!).toBe(3000);
  });

  test('a server that asks for more than a minute gets no second attempt, and the caller gets the error', async () => {
    const { fetch, times } = answering(busy('61'), ok);
    const error = await failure(new Uptime({ siteUrl: 'http://uptime.test', apiKey: null, fetch }).monitors.list());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfter: 61 });
    expect(times.length).toBe(1);
  });

  test('without Retry-After the wait is random, and its bound doubles each time', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    const { fetch, times } = answering(() => new Response('', { status: 503 }));
    const uptime = new Uptime({ siteUrl: 'http://uptime.test', apiKey: null, fetch, retries: 8 });
    const done = failure(uptime.monitors.list());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await done).toBeInstanceOf(ServerError);
    const waits = times.slice(1).map((time, i) => Math.round((time - times[i]!) / 10) * 10);
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 7990, 7990, 7990]);
    vi.mocked(Math.random).mockRestore();
  });
});

describe('time and abort', () => {
  test('an attempt times out while it waits for headers or for the body', async () => {
    const { client, seen } = await serve(hang, (_, response) => void response.writeHead(200).write('['));
    const uptime = client({ timeout: 40, retries: 0 });
    const error = await failure(uptime.monitors.list());
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toBe('GET /monitors got no answer within 40 ms.');
    expect(await failure(uptime.monitors.list())).toBeInstanceOf(TimeoutError);
    expect(seen.length).toBe(2);
  });

  test('a check may take as long as six attempts of two minutes', async () => {
    const { client } = await serve(json(200, {}));
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await client().monitors.check('mon_1');
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 750_000);
    timers.mockRestore();
  });

  test('a timeout is retried, and each attempt has the full time', async () => {
    const { client } = await serve(hang, json(200, []));
    expect(await client().monitors.list({}, { timeout: 200 })).toEqual([]);
  });

  test('the caller’s signal aborts a request, with its reason', async () => {
    const controller = new AbortController();
    const { client } = await serve(() => controller.abort('enough'));
    const error = await failure(client().monitors.list({}, { signal: controller.signal }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: 'enough' });
  });

  test('the caller’s signal aborts the wait before a retry, and a call that has not started', async () => {
    const controller = new AbortController();
    const { client, seen } = await serve(problem(503, 'unavailable', {}, { 'retry-after': '30' }));
    const uptime = client({ onRequest: () => queueMicrotask(() => setTimeout(() => controller.abort(), 1)) });
    expect(await failure(uptime.monitors.list({}, { signal: controller.signal }))).toBeInstanceOf(AbortedError);
    expect(await failure(uptime.monitors.list({}, { signal: controller.signal }))).toBeInstanceOf(AbortedError);
    expect(seen.length).toBe(1);
  });
});

describe('requests', () => {
  test('carry the key, the project and the headers of the call, and no body with a GET', async () => {
    const { client, seen } = await serve(json(200, []));
    await client({ projectId: 'prj_1' }).monitors.list({ limit: 5, name: 'a b&c' }, { headers: { 'X-Trace': 't' } });
    expect(seen[0]!.line).toBe('GET /api/monitors?limit=5&name=a+b%26c');
    expect(seen[0]!.headers).toMatchObject({ 'x-api-key': 'uptime_secret', 'x-project-id': 'prj_1', 'x-trace': 't' });
    expect(seen[0]!.headers).not.toHaveProperty('content-type');
    expect(seen[0]!.headers).not.toHaveProperty('cookie');
  });

  test('carry a session as a cookie, with the origin of the site and without the key of the environment', async () => {
    vi.stubEnv('UPTIME_API_KEY', 'uptime_env');
    const { client, seen, siteUrl } = await serve(json(200, []));
    await client({ apiKey: undefined, session: 's=1' }).projects.list();
    expect(seen[0]!.headers).toMatchObject({ cookie: 's=1', origin: siteUrl });
    expect(seen[0]!.headers).not.toHaveProperty('x-api-key');
  });

  test('signing in returns the user and a cookie for another client', async () => {
    const { client, seen } = await serve((_, response) => {
      response.setHeader('set-cookie', ['session=abc.def; Path=/; HttpOnly', 'extra=1; Path=/']);
      json(200, { user: { id: 'u1' } })(_, response, '');
    });
    const signedIn = await client().auth.signIn({ email: 'a@example.com', password: 'password' });
    expect(signedIn).toEqual({ user: { id: 'u1' }, cookie: 'session=abc.def; extra=1' });
    await client({ session: signedIn.cookie }).auth.getSession();
    expect(seen[1]!.headers.cookie).toBe('session=abc.def; extra=1');
  });

  test('address and key come from the environment if the options lack them', async () => {
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
  ])('%j calls the API at %s and pings at %s', async (options, api, ping) => {
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

  test('an id cannot address another resource', async () => {
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
  ])('invalid options are refused, and the error holds no secret: %j', (options) => {
    const make = () => new Uptime(options);
    expect(make).toThrow(UptimeError);
    expect(make).not.toThrow(/secret/);
  });

  test('printing a client shows no credential', () => {
    const uptime = new Uptime({ siteUrl: 'http://h', apiKey: 'uptime_secret' });
    expect(JSON.stringify(uptime)).not.toContain('secret');
    expect(Object.values(uptime).map(String).join()).not.toContain('uptime_secret');
  });

  test('each attempt is reported, without the token of a ping', async () => {
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
  test('are sent by token or address, with a signal and metrics', async () => {
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

  test('succeed with any 2xx, whatever its body', async () => {
    const { client } = await serve((_, response) => response.end('OK'));
    expect(await client().heartbeats.ping('tok')).toBeUndefined();
  });
});

describe('lists', () => {
  test('iterate follows the Link header, at the client’s own address', async () => {
    const { client, seen } = await serve(
      json(200, [1, 2], { link: '<https://elsewhere.example/api/monitors?limit=2&cursor=b>; rel="next"' }),
      json(200, [3, 4], { link: '</api/monitors?cursor=a>; rel="prev", </api/monitors?limit=2&cursor=c>; rel=next' }),
      json(200, [5]),
    );
    const all: unknown[] = [];
    for await (const item of client().monitors.iterate({ limit: 2 })) all.push(item);
    expect(all).toEqual([1, 2, 3, 4, 5]);
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /api/monitors?limit=2',
      'GET /api/monitors?limit=2&cursor=b',
      'GET /api/monitors?limit=2&cursor=c',
    ]);
  });

  test('an answer that is not a list ends the iteration with an error', async () => {
    const { client } = await serve(json(200, { items: [] }));
    const error = await failure(client().monitors.iterate().next());
    expect(error).toMatchObject({ constructor: ApiError, code: 'unexpected_answer', status: 200 });
    expect((error as Error).message).toContain('but a list was expected');
  });

  test('iterate ends after one list without paging, and if the next page is the same page', async () => {
    const { client, seen } = await serve(json(200, [1]), json(200, [2], { link: '<?limit=100>; rel="next"' }));
    for (const expected of [1, 2]) {
      const all: unknown[] = [];
      for await (const item of client().incidents.iterate()) all.push(item);
      expect(all).toEqual([expected]);
    }
    expect(seen.length).toBe(2);
  });
});

describe('health', () => {
  test('an unhealthy server returns its reason; a proxy’s 503 is an error', async () => {
    const sick = { version: '1', reason: 'disk full', warnings: [] };
    const { client, seen } = await serve(
      json(503, { ...sick, status: 503, code: 'unavailable' }),
      problem(503, 'unavailable'),
    );
    expect(await client().health()).toEqual({ ...sick, status: 'unavailable' });
    expect(seen[0]!.line).toBe('GET /healthz');
    expect(await failure(client({ retries: 0 }).health())).toBeInstanceOf(ServerError);
  });

  test('it sends the credential if there is one, and accepts an answer without details', async () => {
    const { client, seen } = await serve(
      json(200, { status: 'ok', version: '1' }),
      json(200, { status: 'ok', version: '1' }),
      json(503, { status: 503, code: 'unavailable', detail: 'It cannot serve.', version: '1' }),
      json(200, { status: 'ok', version: '1' }),
    );
    expect(await client().health()).toEqual({ status: 'ok', version: '1' });
    expect(await client({ apiKey: null }).health()).toEqual({ status: 'ok', version: '1' });
    expect(await client({ apiKey: null }).health()).toEqual({ status: 'unavailable', version: '1' });
    expect(seen.map(({ headers }) => headers['x-api-key'])).toEqual(['uptime_secret', undefined, undefined]);
    await client({ apiKey: null, session: 'sid=1' }).health();
    expect(seen.at(-1)!.headers.cookie).toBe('sid=1');
  });

  test('a health with missing or additional fields is returned unchanged', async () => {
    const more = { status: 'ok', version: '9', reason: null, warnings: [], regions: ['eu'] };
    const { client } = await serve(json(200, { status: 'ok' }), json(200, more), json(200, null));
    const uptime = client();
    expect(await uptime.health()).toEqual({ status: 'ok' });
    expect(await uptime.health()).toEqual(more);
    expect(await failure(uptime.health())).toMatchObject({ constructor: ApiError, code: 'unexpected_answer' });
  });
});
