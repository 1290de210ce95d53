import { afterEach, expect, test } from 'vitest';
import type { Uptime } from '../index.ts';
import { closers, json, serve } from '../testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const project = { id: 'prj_1', name: 'Shop', apiKey: 'uptime_x' };
const key = { id: 'key_1', name: 'ci', scope: 'read', expiresAt: null, lastUsedAt: null };

/** Each call, the request that it sends, the body of the request, and the answer that the call returns. */
const calls: [string, string, (uptime: Uptime) => Promise<unknown>, object | null, number, unknown][] = [
  ['list', 'GET /api/projects?limit=2', ({ projects }) => projects.list({ limit: 2 }), null, 200, [project]],
  ['get', 'GET /api/projects/current', ({ projects }) => projects.get('current'), null, 200, project],
  ['create', 'POST /api/projects', ({ projects }) => projects.create({ name: 'Shop' }), { name: 'Shop' }, 201, project],
  [
    'update',
    'PATCH /api/projects/prj%201',
    ({ projects }) => projects.update('prj 1', { name: 'Stock' }),
    { name: 'Stock' },
    200,
    project,
  ],
  [
    'regenerateKey',
    'POST /api/projects/prj_1/api-key',
    ({ projects }) => projects.regenerateKey('prj_1'),
    null,
    200,
    project,
  ],
  ['keys.list', 'GET /api/projects/prj_1/keys', ({ projects }) => projects.keys.list('prj_1'), null, 200, [key]],
  [
    'keys.current',
    'GET /api/projects/current/keys/current',
    ({ projects }) => projects.keys.current(),
    null,
    200,
    { projectId: 'prj_1', id: null, name: null, scope: 'full', expiresAt: null },
  ],
  [
    'keys.create',
    'POST /api/projects/prj_1/keys',
    ({ projects }) => projects.keys.create('prj_1', { name: 'ci', scope: 'read', expiresAt: '2027-01-01T00:00:00Z' }),
    { name: 'ci', scope: 'read', expiresAt: '2027-01-01T00:00:00Z' },
    201,
    { ...key, key: 'uptime_secret' },
  ],
];

/** Each call whose answer has no body. */
const empty: [string, string, (uptime: Uptime) => Promise<unknown>][] = [
  ['delete', 'DELETE /api/projects/prj_1', ({ projects }) => projects.delete('prj_1')],
  [
    'keys.delete',
    'DELETE /api/projects/prj%2F1/keys/key%2F1',
    ({ projects }) => projects.keys.delete('prj/1', 'key/1'),
  ],
];

test.each(calls)('projects.%s sends %s, and returns the answer', async (_, line, call, body, status, answer) => {
  const { client, seen } = await serve(json(status, answer));
  expect(await call(client())).toEqual(answer);
  expect(seen.map((request) => request.line)).toEqual([line]);
  expect(seen[0]!.body).toBe(body === null ? '' : JSON.stringify(body));
});

test.each(empty)('projects.%s sends %s, and returns nothing', async (_, line, call) => {
  const { client, seen } = await serve((_, response) => response.writeHead(204).end());
  expect(await call(client())).toBeUndefined();
  expect(seen.map((request) => `${request.line} ${request.body}`.trim())).toEqual([line]);
});

test('keys are listed page by page', async () => {
  const { client, seen } = await serve(json(200, [key], { link: '<?limit=1&cursor=n>; rel="next"' }), json(200, []));
  const all: unknown[] = [];
  for await (const one of client().projects.keys.iterate('current', { limit: 1 })) all.push(one);
  expect(all).toEqual([key]);
  expect(seen.map(({ line }) => line)).toEqual([
    'GET /api/projects/current/keys?limit=1',
    'GET /api/projects/current/keys?limit=1&cursor=n',
  ]);
});

test('projects are listed page by page', async () => {
  const { client, seen } = await serve(json(200, [project]));
  for await (const one of client().projects.iterate()) expect(one).toEqual(project);
  expect(seen.map(({ line }) => line)).toEqual(['GET /api/projects?limit=100']);
});
