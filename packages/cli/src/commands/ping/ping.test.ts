import { expect, test } from 'vitest';
import { openSession } from '../../testing/session.ts';

const backup = 'monitors: [{ key: backup, name: Backup, type: heartbeat }]\n';

test('after a failure of the server, `uptime ping` retries until the ping is recorded', async () => {
  await using session = await openSession();
  await session.write('m.yaml', backup);
  const { stdout } = await session.uptime(['apply', '-f', 'm.yaml', '--yes']);
  const url = /http\S+/.exec(stdout)![0];
  for (let i = 0; i < 2; i++) session.server.failNext({ status: 503, retryAfter: 0 });
  const { exit, stderr } = await session.uptime(['ping', url, '-m', 'rows=12', '-m', 'version=1.2.3', '-m', 'x=']);
  expect({ exit, tries: stderr.match(/retrying in/g)?.length }).toEqual({ exit: 0, tries: 2 });
  expect(session.server.pings).toMatchObject([{ signal: null, metrics: { rows: 12, version: '1.2.3', x: '' } }]);
});

test('if a ping is not recorded in time, `uptime ping` exits with 1', async () => {
  await using session = await openSession();
  const fetch: typeof globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
  const { exit } = await session.uptime(['ping', `${session.server.siteUrl}/ping/x`, '--retry-for', '0'], { fetch });
  expect(exit).toBe(1);
});

test('for the name of a monitor, `uptime ping` looks up the ping address first, and sends the ping itself without the API key', async () => {
  await using session = await openSession();
  await session.write('m.yaml', backup);
  await session.uptime(['apply', '-f', 'm.yaml', '--yes']);
  const sent: [string, string | null][] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    sent.push([new URL(request.url).pathname, request.headers.get('x-api-key')]);
    return session.server.fetch(request);
  };
  expect((await session.uptime(['ping', 'Backup', '--exit-code', '3'], { fetch })).exit).toBe(0);
  expect(session.server.pings).toMatchObject([{ signal: '3' }]);
  expect(sent.at(-1)).toEqual([expect.stringMatching(/^\/ping\/mon_\d+\/3$/), null]);
});

test('Ctrl-C ends the wait before a retry of a ping', async () => {
  await using session = await openSession();
  const stop = new AbortController();
  const fetch: typeof globalThis.fetch = () => {
    queueMicrotask(() => stop.abort());
    return Promise.reject(new TypeError('fetch failed'));
  };
  const ended = await session.uptime(['ping', `${session.server.siteUrl}/ping/x`], { fetch, signal: stop.signal });
  expect(ended.exit).toBe(130);
});

test('a ping waits as long as the server asks', async () => {
  await using session = await openSession();
  await session.write('m.yaml', backup);
  const { stdout } = await session.uptime(['apply', '-f', 'm.yaml', '--yes']);
  session.server.failNext({ status: 429, retryAfter: 1 });
  const fromMonoMs = performance.now();
  const { exit, stderr } = await session.uptime(['ping', /http\S+/.exec(stdout)![0]]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('retrying in 1 s') });
  expect(performance.now() - fromMonoMs).toBeGreaterThanOrEqual(1000);
});

test('a ping fails at once if the server asks for a longer wait than --retry-for', async () => {
  await using session = await openSession();
  let requestCount = 0;
  const fetch: typeof globalThis.fetch = () => {
    requestCount++;
    return Promise.resolve(new Response('{}', { status: 429, headers: { 'retry-after': '120' } }));
  };
  const { exit, stderr } = await session.uptime(['ping', `${session.server.siteUrl}/ping/x`], { fetch });
  expect({ exit, requestCount }).toEqual({ exit: 1, requestCount: 1 });
  expect(stderr).toContain('the server asks to wait 2 min, but --retry-for allows 30 s');
  expect(stderr).toContain('add --retry-for 130');
});

test('if the server asked the quick ping for a longer wait than --retry-for, the full command fails without a request', async () => {
  await using session = await openSession();
  let requestCount = 0;
  const fetch: typeof globalThis.fetch = () => {
    requestCount++;
    return Promise.reject(new TypeError('fetch failed'));
  };
  const words = ['ping', `${session.server.siteUrl}/ping/x`, '--retry-for', '5'];
  const { exit, stderr } = await session.uptime(words, { fetch, pingAfterMs: 60_000 });
  expect({ exit, requestCount }).toEqual({ exit: 1, requestCount: 0 });
  expect(stderr).toContain('the server asks to wait 1 min');
});
