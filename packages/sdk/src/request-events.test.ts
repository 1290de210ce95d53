import { afterEach, expect, test } from 'vitest';
import type { RequestEvent, Uptime, UptimeOptions } from './index.ts';
import { closers, drop, failure, type Handler, json, problem, serve } from './testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Makes a call, which may fail. Returns its events without their durations. */
async function eventsOf(handlers: Handler[], call: (uptime: Uptime) => Promise<unknown>, options: UptimeOptions = {}) {
  const events: RequestEvent[] = [];
  const { client } = await serve(...handlers);
  await call(client({ ...options, onRequest: (event) => void events.push(event) })).catch((error: unknown) => error);
  for (const { duration } of events) expect(duration).toBeGreaterThanOrEqual(0);
  return events.map(({ method, path, attempt, status, requestId }) => ({ method, path, attempt, status, requestId }));
}

test('onRequest gets an event with the method, path, status and request id of the attempt', async () => {
  const list = json(200, [], { 'x-request-id': 'req_1' });
  expect(await eventsOf([list], ({ monitors }) => monitors.list({ key: 'secret' }))).toEqual([
    { method: 'GET', path: '/monitors', attempt: 1, status: 200, requestId: 'req_1' },
  ]);
});

test('attempts are counted from 1, and an attempt without an answer has no status', async () => {
  const busy = problem(503, 'unavailable', {}, { 'retry-after': '0', 'x-request-id': 'req_2' });
  const create = ({ monitors }: Uptime) => monitors.create({ type: 'heartbeat', name: 'Backup' });
  expect(await eventsOf([drop, busy, json(201, {})], create)).toEqual([
    { method: 'POST', path: '/monitors', attempt: 1, status: null, requestId: null },
    { method: 'POST', path: '/monitors', attempt: 2, status: 503, requestId: 'req_2' },
    { method: 'POST', path: '/monitors', attempt: 3, status: 201, requestId: null },
  ]);
});

test('onRequest gets an event for a failed attempt that is not retried', async () => {
  expect(await eventsOf([problem(404, 'not_found')], ({ monitors }) => monitors.get('a/b'))).toEqual([
    { method: 'GET', path: '/monitors/a%2Fb', attempt: 1, status: 404, requestId: null },
  ]);
});

test('onRequest gets an event for each page of an iteration', async () => {
  const read = async ({ monitors }: Uptime) => {
    for await (const entry of monitors.iterate()) expect(entry).toBeDefined();
  };
  const pages = [json(200, [1], { link: '<?cursor=b>; rel="next"' }), json(200, [2])];
  expect((await eventsOf(pages, read)).map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 200],
    [1, 200],
  ]);
});

test('the event of a ping hides the token, for a ping by token and for a ping by address', async () => {
  const { siteUrl } = await serve(json(200, {}));
  for (const target of ['secret-token', `${siteUrl}/ping/secret-token`])
    expect(
      await eventsOf([json(200, {})], ({ heartbeats }) => heartbeats.ping(target, { signal: 'fail' })),
    ).toMatchObject([{ method: 'GET', path: '/ping/…', status: 200 }]);
});

test('a call that is aborted before it begins makes no event', async () => {
  const list = ({ monitors }: Uptime) => monitors.list({}, { signal: AbortSignal.abort() });
  expect(await eventsOf([json(200, [])], list)).toEqual([]);
});

test('the event of an attempt comes after the whole body of the answer, so its duration includes the body', async () => {
  let sendRest = () => {};
  const slow: Handler = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('[');
    sendRest = () => void response.end(']');
  };
  const events: RequestEvent[] = [];
  const { client, seen } = await serve(slow);
  const done = client({ onRequest: (event) => void events.push(event) }).monitors.list();
  await expect.poll(() => seen.length).toBe(1);
  expect(events).toEqual([]);
  sendRest();
  expect(await done).toEqual([]);
  expect(events).toHaveLength(1);
});

test('an error that the caller’s onRequest throws ends the call', async () => {
  const { client } = await serve(json(200, []));
  const onRequest = () => {
    throw new Error('the log is full');
  };
  expect(await failure(client({ onRequest }).monitors.list())).toMatchObject({ message: 'the log is full' });
});
