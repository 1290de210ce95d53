import { afterEach, expect, test } from 'vitest';
import type { Uptime } from '../index.ts';
import { closers, json, serve } from '../testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const rule = { id: 'rul_1', name: 'Shop', monitorIds: ['mon_1'], channelIds: ['chn_1'], enabled: true };
const alert = { id: 'alr_1', monitorName: 'Shop', type: 'monitor_down', resolvedAt: null };
const delivery = { id: 'dlv_1', alertId: 'alr_1', status: 'failed', attempts: [] };
const input = { name: 'Shop', monitorIds: ['mon_1'], channelIds: ['chn_1'], reminderInterval: 3600 };

/** Each call, the request that it sends, the body of the request, and the answer that the call returns. */
const calls: [string, string, (uptime: Uptime) => Promise<unknown>, object | null, number, unknown][] = [
  ['alertRules.list', 'GET /api/alert-rules', ({ alertRules }) => alertRules.list(), null, 200, [rule]],
  ['alertRules.create', 'POST /api/alert-rules', ({ alertRules }) => alertRules.create(input), input, 201, rule],
  [
    'alertRules.update',
    'PATCH /api/alert-rules/rul_1',
    ({ alertRules }) => alertRules.update('rul_1', { enabled: false }),
    { enabled: false },
    200,
    rule,
  ],
  [
    'alertHistory.list',
    'GET /api/alert-history?from=2026-01-01&to=2026-01-31',
    ({ alertHistory }) => alertHistory.list({ from: '2026-01-01', to: '2026-01-31' }),
    null,
    200,
    [alert],
  ],
  [
    'alertHistory.get',
    'GET /api/alert-history/alr_1',
    ({ alertHistory }) => alertHistory.get('alr_1'),
    null,
    200,
    alert,
  ],
  [
    'alertHistory.deliveries',
    'GET /api/deliveries?alertId=alr_1&status=failed',
    ({ alertHistory }) => alertHistory.deliveries({ alertId: 'alr_1', status: 'failed' }),
    null,
    200,
    [delivery],
  ],
  [
    'alertHistory.redeliver',
    'POST /api/deliveries/dlv_1/redeliver',
    ({ alertHistory }) => alertHistory.redeliver('dlv_1'),
    null,
    200,
    delivery,
  ],
];

/** Each call whose answer has no body. */
const empty: [string, string, (uptime: Uptime) => Promise<unknown>][] = [
  ['alertRules.delete', 'DELETE /api/alert-rules/rul_1', ({ alertRules }) => alertRules.delete('rul_1')],
];

test.each(calls)('%s sends %s, and returns the answer', async (_, line, call, body, status, answer) => {
  const { client, seen } = await serve(json(status, answer));
  expect(await call(client())).toEqual(answer);
  expect(seen.map((request) => request.line)).toEqual([line]);
  expect(seen[0]!.body).toBe(body === null ? '' : JSON.stringify(body));
});

test.each(empty)('%s sends %s, and returns nothing', async (_, line, call) => {
  const { client, seen } = await serve((_, response) => response.writeHead(204).end());
  expect(await call(client())).toBeUndefined();
  expect(seen.map((request) => `${request.line} ${request.body}`.trim())).toEqual([line]);
});

test.each<[string, (uptime: Uptime) => AsyncGenerator]>([
  ['GET /api/alert-rules?limit=100', ({ alertRules }) => alertRules.iterate()],
  [
    'GET /api/alert-history?limit=100&from=2026-01-01',
    ({ alertHistory }) => alertHistory.iterate({ from: '2026-01-01' }),
  ],
  [
    'GET /api/deliveries?limit=100&status=sent',
    ({ alertHistory }) => alertHistory.iterateDeliveries({ status: 'sent' }),
  ],
])('an iteration begins with the request %s', async (line, iterate) => {
  const { client, seen } = await serve(json(200, ['entry']));
  for await (const entry of iterate(client())) expect(entry).toBe('entry');
  expect(seen.map((request) => request.line)).toEqual([line]);
});
