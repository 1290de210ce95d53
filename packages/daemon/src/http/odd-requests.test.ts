import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
let ping: string;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
  const { body } = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'job' });
  ping = new URL((body as { pingUrl: string }).pingUrl).pathname;
  for (const name of ['a', 'b', 'c']) {
    await daemon.request('POST', '/api/incidents', { title: name });
    await daemon.request('POST', '/api/status-pages', { name, slug: name });
  }
});
afterAll(() => daemon.close());

const send = async (url: string, payload: Buffer | string, headers: Record<string, string> = {}) => {
  const all = { 'x-api-key': daemon.apiKey, 'content-type': 'application/json', ...headers };
  const answer = await daemon.inject({ method: 'POST', url, headers: all, payload });
  return { status: answer.statusCode, body: answer.json() as { code?: string; detail?: string; id?: string } };
};

test('a body of the API and the metrics of a ping may begin with a byte order mark', async () => {
  expect(await send(ping, '\ufeff{"rows":7}')).toMatchObject({ status: 200 });
  expect(await send(ping, '\ufeff{"rows":8}', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
    status: 200,
  });
  const id = ((await daemon.request('GET', '/api/monitors')).body as { id: string }[])[0]!.id;
  const read = (await daemon.request('GET', `/api/monitors/${id}/heartbeat-metrics`)).body;
  expect(read).toMatchObject([{ metrics: { rows: 7 } }, { metrics: { rows: 8 } }]);
  expect(await send('/api/incidents', '\ufeff{"title":"x"}')).toMatchObject({ status: 201 });
});

test('the server refuses a ping whose metrics contain half of a surrogate pair', async () => {
  expect(await send(ping, '{"a":"\\ud800"}')).toMatchObject({ status: 400, body: { errors: [{ path: 'a' }] } });
});

test('a JSON body with a content encoding gets 415, except for the encoding `identity`', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'nonsense']) {
    for (const url of ['/api/incidents', ping]) {
      const answer = await send(url, gzipSync('{"title":"x"}'), { 'content-encoding': encoding });
      expect(answer, `${url} ${encoding}`).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
      expect(answer.body.detail).toContain('Content-Encoding');
    }
  }
  expect(await send('/api/incidents', '{"title":"x"}', { 'content-encoding': 'identity' })).toMatchObject({
    status: 201,
  });
});

test('a ping with a compressed body that is not declared as JSON is recorded without metrics', async () => {
  const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
  expect(await send(ping, gzipSync('done'), headers)).toMatchObject({ status: 200 });
});

test('the server refuses a repeated query parameter, and says that the parameter is repeated', async () => {
  for (const query of ['limit=1&limit=2', 'name=a&name=b', 'limit=1&limit=x&limit=', 'nonsense=1&nonsense=2']) {
    const answer = await daemon.request('GET', `/api/monitors?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const { errors } = answer.body as { errors: { path: string; message: string }[] };
    const path = query.split('=')[0];
    expect(errors).toContainEqual({ path, message: 'is given more than once: give it once' });
  }
});

test('a list refuses the cursor of another list', async () => {
  const next = async (path: string) => {
    const { headers } = await daemon.request('GET', `${path}?limit=1`);
    return new URL(/<(.*)>/.exec(headers.get('link') ?? '')![1]!).searchParams.get('cursor')!;
  };
  const cursors = {
    '/api/incidents': await next('/api/incidents'),
    '/api/status-pages': await next('/api/status-pages'),
  };
  for (const [path, cursor] of Object.entries(cursors)) {
    for (const other of [
      '/api/incidents',
      '/api/status-pages',
      '/api/monitors',
      '/api/deliveries',
      '/api/alert-rules',
    ]) {
      const answer = await daemon.request('GET', `${other}?limit=1&cursor=${encodeURIComponent(cursor)}`);
      if (other === path) expect(answer).toMatchObject({ status: 200, body: [expect.anything()] });
      else expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'cursor' }] } });
    }
  }
});

test('the answer to HEAD has the status and headers of the answer to GET, without its body', async () => {
  // The first two addresses return lists as streams, so GET sends these lists in chunks.
  for (const path of [
    '/api/projects',
    '/api/alerts',
    '/healthz',
    '/api/status-pages?limit=1',
    '/api/monitors/unknown',
  ]) {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        fetch(daemon.url + path, { method, headers: { 'x-api-key': daemon.apiKey, connection: 'close' } }),
      ),
    );
    const headersOf = (answer: Response) =>
      [...answer.headers].filter(([name]) => !['date', 'transfer-encoding'].includes(name));
    expect((await get!.text()).length, path).toBeGreaterThan(0);
    expect(await head!.text(), path).toBe('');
    expect([head!.status, headersOf(head!)], path).toEqual([get!.status, headersOf(get!)]);
  }
});
