import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AbortedError, NotFoundError, RateLimitError, ServerError, TimeoutError, Uptime } from './index.ts';
import { closers, serve, json, problem, drop, hang, failure } from './testing/served-answers.ts';

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

const now = { 'retry-after': '0' };

describe('retries', () => {
  test.each([408, 425, 429, 502, 503, 504])(
    'a call whose answer has the status %i is retried, twice by default',
    async (status) => {
      const { client, seen } = await serve(problem(status, 'unavailable', {}, now));
      expect(await failure(client().monitors.list())).toMatchObject({ status });
      expect(seen.length).toBe(3);
    },
  );

  test.each([400, 401, 402, 403, 404, 409, 413, 415, 500, 501])(
    'a call whose answer has the status %i is not retried',
    async (status) => {
      const { client, seen } = await serve(problem(status, 'x', {}, now));
      await failure(client().monitors.list());
      expect(seen.length).toBe(1);
    },
  );

  test('a broken connection is retried with the same idempotency key and body', async () => {
    const { client, seen } = await serve(drop, problem(503, 'unavailable', {}, now), json(201, { id: 'mon_1' }));
    const monitor = await client().monitors.create({ type: 'ping', name: 'Router', host: '10.0.0.1' });
    expect(monitor.id).toBe('mon_1');
    expect(seen.map(({ line }) => line)).toEqual(Array(3).fill('POST /api/monitors'));
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^\d+-\d+$/)]);
    expect(new Set(seen.map(({ body }) => body))).toEqual(
      new Set(['{"type":"ping","name":"Router","host":"10.0.0.1"}']),
    );
    expect(seen[0]!.headers['content-type']).toBe('application/json');
  });

  test('each call that creates something has its own idempotency key, unless the caller gives a key', async () => {
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

  test('an update of an incident with a message is not retried; an update without a message is retried', async () => {
    const entry = await serve(drop);
    await failure(entry.client().incidents.update('inc_1', { status: 'resolved', message: 'The cable is back.' }));
    expect(entry.seen.length).toBe(1);
    const change = await serve(drop, json(200, { id: 'inc_1' }));
    await change.client().incidents.update('inc_1', { status: 'resolved' });
    expect(change.seen.length).toBe(2);
  });

  test('a deletion whose answer was lost succeeds if the next attempt gets 404', async () => {
    const { client, seen } = await serve(drop, problem(404, 'not_found'));
    await client().monitors.delete('mon_1');
    expect(seen.length).toBe(2);
    const other = await serve(problem(404, 'not_found'));
    expect(await failure(other.client().monitors.delete('mon_1'))).toBeInstanceOf(NotFoundError);
  });

  test('the option retries of a call overrides the option of the client', async () => {
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
    ['a number of seconds', () => '3'],
    ['a date', () => new Date(Date.now() + 3000).toUTCString()],
  ])('if Retry-After is %s, the SDK retries exactly at that time', async (_, header) => {
    vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
    const { fetch, times } = answering(busy(header()), ok);
    const done = new Uptime({ siteUrl: 'http://uptime.test', apiKey: null, fetch }).monitors.list();
    await vi.advanceTimersByTimeAsync(2999);
    expect(times.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await done).toEqual([]);
    expect(times[1]! - times[0]!).toBe(3000);
  });

  test('if the server asks for a wait of more than a minute, the SDK does not retry, and the caller gets the error', async () => {
    const { fetch, times } = answering(busy('61'), ok);
    const error = await failure(new Uptime({ siteUrl: 'http://uptime.test', apiKey: null, fetch }).monitors.list());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfter: 61 });
    expect(times.length).toBe(1);
  });

  test('without Retry-After, the wait before a retry is random, and its upper limit doubles up to 8 s', async () => {
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

describe('timeouts and aborts', () => {
  test('an attempt times out while it waits for headers or for the body', async () => {
    const { client, seen } = await serve(hang, (_, response) => void response.writeHead(200).write('['));
    const uptime = client({ timeout: 40, retries: 0 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const attempt of [1, 2]) {
      const ended = failure(uptime.monitors.list());
      while (seen.length < attempt) await nextTurn();
      vi.advanceTimersByTime(39);
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      vi.advanceTimersByTime(1);
      const error = await ended;
      expect(error).toBeInstanceOf(TimeoutError);
      expect((error as Error).message).toBe('GET /monitors got no answer within 40 ms.');
    }
    expect(seen.length).toBe(2);
  });

  test('the default timeout of monitors.check is enough for six attempts of two minutes each', async () => {
    const { client } = await serve(json(200, {}));
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await client().monitors.check('mon_1');
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 750_000);
    timers.mockRestore();
  });

  test('an attempt that timed out is retried, and each attempt has the whole timeout', async () => {
    const { client, seen } = await serve(hang, json(200, []));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const listed = client().monitors.list({}, { timeout: 200 });
    while (seen.length === 0) await nextTurn();
    vi.advanceTimersByTime(200);
    // Because `Math.random` returns 0, the wait before the retry is 0 ms.
    for (; seen.length === 1; vi.advanceTimersByTime(0)) await nextTurn();
    vi.advanceTimersByTime(199);
    expect(await listed).toEqual([]);
    vi.mocked(Math.random).mockRestore();
  });

  test('the caller’s signal aborts a request, and the error has the reason of the signal', async () => {
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
