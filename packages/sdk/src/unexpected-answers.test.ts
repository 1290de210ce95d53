import { afterEach, describe, expect, test } from 'vitest';
import { ApiError, ConnectionError, Uptime } from './index.ts';
import { closers, failure, type Handler, json, serve } from './testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const text =
  (status: number, body: string, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

describe('a successful answer without JSON', () => {
  test.each<[string, Handler]>([
    ['an empty body', text(200, '')],
    ['the page of a proxy', text(200, '<html>', { 'content-type': 'text/html' })],
    ['half of a body', text(200, '{"id":')],
    ['no content', text(204, '')],
  ])('a successful answer with %s makes the call throw an error', async (_, handler) => {
    const { client } = await serve(handler);
    const error = await failure(client().monitors.get('mon_1'));
    expect(error).toMatchObject({ constructor: ApiError, code: 'unexpected_answer', errors: [], requestId: null });
    expect((error as Error).message).toMatch(/^GET \/monitors\/mon_1 returned 20[04] .*but JSON was expected/);
  });

  test.each<[string, (uptime: Uptime) => Promise<unknown>]>([
    ['a deletion', ({ monitors }) => monitors.delete('mon_1')],
    ['a test of a channel', ({ channels }) => channels.test('chn_1')],
    ['a sign-out', ({ auth }) => auth.signOut()],
    ['a ping', ({ heartbeats }) => heartbeats.ping('tok')],
  ])('an answer without JSON is accepted for %s, because the SDK does not read that answer', async (_, call) => {
    const { client } = await serve(text(200, '<html>'));
    expect(await call(client())).toBeUndefined();
  });
});

test('the SDK parses JSON with any content type', async () => {
  const { client } = await serve(text(200, '{"id":"mon_1"}', { 'content-type': 'text/plain' }));
  expect(await client().monitors.get('mon_1')).toEqual({ id: 'mon_1' });
});

test('the SDK returns fields that it does not know', async () => {
  const { client } = await serve(json(200, { id: 'mon_1', fromTheFuture: [1] }));
  expect(await client().monitors.get('mon_1')).toEqual({ id: 'mon_1', fromTheFuture: [1] });
});

test('the SDK reads a body with a byte order mark', async () => {
  const { client } = await serve(text(200, '\ufeff{"id":"mon_1"}'));
  expect(await client().monitors.get('mon_1')).toEqual({ id: 'mon_1' });
});

test.each([301, 302, 303, 307, 308])('a call with a key does not follow a redirect with %i', async (status) => {
  const { client, seen } = await serve(text(status, '', { location: '/elsewhere' }));
  const error = await failure(client().monitors.list());
  expect(error).toMatchObject({ constructor: ApiError, status, code: 'unexpected_answer' });
  expect((error as Error).message).toContain('set siteUrl to the final address');
  expect(seen).toHaveLength(1);
});

test('an answer that is not HTTP makes the call throw a ConnectionError', async () => {
  const { client, siteUrl } = await serve((request) => void request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
  const error = await failure(client({ retries: 0 }).monitors.list());
  expect(error).toBeInstanceOf(ConnectionError);
  expect((error as Error).message).toContain(`No answer from ${siteUrl}`);
});

test.each([
  ['the code of the cause', new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }), ' (ENOTFOUND)'],
  ['no code, if the platform gives no code', new TypeError('Failed to fetch'), ''],
])('the error for a host that does not exist has the address of the server and %s', async (_, thrown, words) => {
  const fetch = () => Promise.reject(thrown);
  const uptime = new Uptime({ siteUrl: 'http://nowhere.invalid/sub', apiKey: 'secret', fetch, retries: 0 });
  const error = await failure(uptime.monitors.list({ name: 'private' }));
  expect(error).toBeInstanceOf(ConnectionError);
  expect((error as Error).message).toBe(`No answer from http://nowhere.invalid${words}: is a server running there?`);
});
