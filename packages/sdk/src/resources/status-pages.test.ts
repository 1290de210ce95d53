import { afterEach, expect, test } from 'vitest';
import type { Uptime } from '../index.ts';
import { closers, json, serve } from '../testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const page = { id: 'pag_1', name: 'Shop', slug: 'shop', url: 'http://h/status/shop', domain: null };

/** Each call, the request that it sends, the body of the request, and the answer that the call returns. */
const calls: [string, string, (uptime: Uptime) => Promise<unknown>, object | null, number, unknown][] = [
  [
    'list',
    'GET /api/status-pages?name=Shop',
    ({ statusPages }) => statusPages.list({ name: 'Shop' }),
    null,
    200,
    [page],
  ],
  ['get', 'GET /api/status-pages/pag_1', ({ statusPages }) => statusPages.get('pag_1'), null, 200, page],
  [
    'create',
    'POST /api/status-pages',
    ({ statusPages }) => statusPages.create({ name: 'Shop', slug: 'shop', monitorIds: ['mon_2', 'mon_1'] }),
    { name: 'Shop', slug: 'shop', monitorIds: ['mon_2', 'mon_1'] },
    201,
    page,
  ],
  [
    'update',
    'PATCH /api/status-pages/pag_1',
    ({ statusPages }) => statusPages.update('pag_1', { customDomain: null }),
    { customDomain: null },
    200,
    page,
  ],
  [
    'verifyDomain',
    'POST /api/status-pages/pag_1/verify-domain',
    ({ statusPages }) => statusPages.verifyDomain('pag_1'),
    null,
    200,
    page,
  ],
];

/** Each call whose answer has no body. */
const empty: [string, string, (uptime: Uptime) => Promise<unknown>][] = [
  ['delete', 'DELETE /api/status-pages/pag_1', ({ statusPages }) => statusPages.delete('pag_1')],
];

test.each(calls)('statusPages.%s sends %s, and returns the answer', async (_, line, call, body, status, answer) => {
  const { client, seen } = await serve(json(status, answer));
  expect(await call(client())).toEqual(answer);
  expect(seen.map((request) => request.line)).toEqual([line]);
  expect(seen[0]!.body).toBe(body === null ? '' : JSON.stringify(body));
});

test.each(empty)('statusPages.%s sends %s, and returns nothing', async (_, line, call) => {
  const { client, seen } = await serve((_, response) => response.writeHead(204).end());
  expect(await call(client())).toBeUndefined();
  expect(seen.map((request) => `${request.line} ${request.body}`.trim())).toEqual([line]);
});

test('the public page is requested without credentials, and returned as text', async () => {
  const { client, seen } = await serve((_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Käse</h1>'),
  );
  expect(await client().statusPages.html('käse/1')).toBe('<h1>Käse</h1>');
  expect(seen[0]!.line).toBe('GET /status/k%C3%A4se%2F1');
  expect(seen[0]!.headers).not.toHaveProperty('x-api-key');
});

test('the public page is returned as text, even if it is JSON', async () => {
  const { client } = await serve(json(200, { a: 1 }));
  expect(await client().statusPages.html('shop')).toBe('{"a":1}');
});

test('a redirect of the public page is followed, because the request has no credential', async () => {
  const { client, seen } = await serve(
    (_, response) => response.writeHead(302, { location: '/status/new' }).end(),
    (_, response) => response.end('<h1>New</h1>'),
  );
  expect(await client().statusPages.html('old')).toBe('<h1>New</h1>');
  expect(seen.map(({ line }) => line)).toEqual(['GET /status/old', 'GET /status/new']);
});
