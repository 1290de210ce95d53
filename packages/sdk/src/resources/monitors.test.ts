import { afterEach, expect, test } from 'vitest';
import type { Uptime } from '../index.ts';
import { closers, json, serve } from '../testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const monitor = { id: 'mon_1', type: 'http', name: 'Shop', status: 'up', labels: {} };
const input = { type: 'http', name: 'Shop', url: 'https://shop.example.com/ä' } as const;

/** Each call, the request that it sends, the body of the request, and the answer that the call returns. */
const calls: [string, string, (uptime: Uptime) => Promise<unknown>, object | null, number, unknown][] = [
  ['list', 'GET /api/monitors', ({ monitors }) => monitors.list(), null, 200, [monitor]],
  [
    'list with a filter',
    'GET /api/monitors?key=shop%2Fa&name=K%C3%A4se+%26+Brot&limit=2&cursor=c',
    ({ monitors }) => monitors.list({ key: 'shop/a', name: 'Käse & Brot', limit: 2, cursor: 'c' }),
    null,
    200,
    [],
  ],
  ['get', 'GET /api/monitors/mon_1', ({ monitors }) => monitors.get('mon_1'), null, 200, monitor],
  [
    'get with an id that has to be escaped',
    'GET /api/monitors/a%2Fb%3Fc%25',
    ({ monitors }) => monitors.get('a/b?c%'),
    null,
    200,
    monitor,
  ],
  ['create', 'POST /api/monitors', ({ monitors }) => monitors.create(input), input, 201, monitor],
  [
    'update',
    'PATCH /api/monitors/mon_1',
    ({ monitors }) => monitors.update('mon_1', { interval: null, labels: { team: null } }),
    { interval: null, labels: { team: null } },
    200,
    monitor,
  ],
  [
    'check',
    'POST /api/monitors/mon_1/check',
    ({ monitors }) => monitors.check('mon_1'),
    null,
    200,
    { status: 'down', error: { code: 'timeout', message: 'No answer within 30 s.' }, trace: [] },
  ],
  [
    'stats',
    'GET /api/monitors/mon_1/stats',
    ({ monitors }) => monitors.stats('mon_1'),
    null,
    200,
    { status: 'up', uptime24h: 100, uptime7d: null, uptime30d: 99.95 },
  ],
  [
    'dailyUptime',
    'GET /api/monitors/mon_1/daily-uptime?from=2026-01-01&to=2026-01-31',
    ({ monitors }) => monitors.dailyUptime('mon_1', { from: '2026-01-01', to: '2026-01-31' }),
    null,
    200,
    [{ date: '2026-01-01', uptime: null, maintenanceSeconds: 0 }],
  ],
  [
    'responseTimes',
    'GET /api/monitors/mon_1/response-times?region=eu&limit=1',
    ({ monitors }) => monitors.responseTimes('mon_1', { region: 'eu', limit: 1 }),
    null,
    200,
    [{ timestamp: '2026-01-31T08:00:00.000Z', responseTime: 31.5, region: 'eu', status: 'up' }],
  ],
  [
    'heartbeatMetrics',
    'GET /api/monitors/mon_1/heartbeat-metrics?to=2026-01-31',
    ({ monitors }) => monitors.heartbeatMetrics('mon_1', { to: '2026-01-31' }),
    null,
    200,
    [{ timestamp: '2026-01-31T08:00:00.000Z', metrics: { rows: 3 }, duration: 1200, status: 'success', exitCode: 0 }],
  ],
  [
    'events',
    'GET /api/monitors/mon_1/events',
    ({ monitors }) => monitors.events('mon_1'),
    null,
    200,
    [{ timestamp: '2026-01-31T08:00:00.000Z', from: 'up', to: 'down', error: null }],
  ],
];

test.each(calls)('monitors.%s sends %s, and returns the answer', async (_, line, call, body, status, answer) => {
  const { client, seen } = await serve(json(status, answer));
  expect(await call(client())).toEqual(answer);
  expect(seen.map((request) => request.line)).toEqual([line]);
  expect(seen[0]!.body).toBe(body === null ? '' : JSON.stringify(body));
});

test('monitors.delete returns nothing', async () => {
  const { client, seen } = await serve((_, response) => response.writeHead(204).end());
  expect(await client().monitors.delete('mon_1')).toBeUndefined();
  expect(seen.map(({ line }) => line)).toEqual(['DELETE /api/monitors/mon_1']);
});

test.each<[string, string, (uptime: Uptime) => AsyncGenerator]>([
  ['iterate', '/monitors', ({ monitors }) => monitors.iterate()],
  ['iterateResponseTimes', '/monitors/a%2Fb/response-times', ({ monitors }) => monitors.iterateResponseTimes('a/b')],
  [
    'iterateHeartbeatMetrics',
    '/monitors/a%2Fb/heartbeat-metrics',
    ({ monitors }) => monitors.iterateHeartbeatMetrics('a/b'),
  ],
  ['iterateEvents', '/monitors/a%2Fb/events', ({ monitors }) => monitors.iterateEvents('a/b')],
])('monitors.%s reads pages of 100 entries from %s', async (_, path, iterate) => {
  const { client, seen } = await serve(
    json(200, [1], { link: `</api${path}?limit=100&cursor=n>; rel="next"` }),
    json(200, [2]),
  );
  const all: unknown[] = [];
  for await (const entry of iterate(client())) all.push(entry);
  expect(all).toEqual([1, 2]);
  expect(seen.map(({ line }) => line)).toEqual([`GET /api${path}?limit=100`, `GET /api${path}?limit=100&cursor=n`]);
});
