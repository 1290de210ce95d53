import { afterEach, expect, test } from 'vitest';
import type { Uptime } from '../index.ts';
import { closers, json, serve } from '../testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const channel = { id: 'chn_1', name: 'On call', type: 'slack', config: { webhookUrl: 'https://••••' } };
const slack = { type: 'slack', name: 'On call', config: { webhookUrl: 'https://hooks.example.com/x' } } as const;

/** Each call, the request that it sends, the body of the request, and the answer that the call returns. */
const calls: [string, string, (uptime: Uptime) => Promise<unknown>, object | null, number, unknown][] = [
  ['list', 'GET /api/notification-channels?key=a', ({ channels }) => channels.list({ key: 'a' }), null, 200, [channel]],
  ['create', 'POST /api/notification-channels', ({ channels }) => channels.create(slack), slack, 201, channel],
  [
    'update',
    'PATCH /api/notification-channels/chn_1',
    ({ channels }) => channels.update('chn_1', { config: { webhookUrl: '••••' } }),
    { config: { webhookUrl: '••••' } },
    200,
    channel,
  ],
  [
    'confirm with a code',
    'POST /api/notification-channels/chn_1/confirm',
    ({ channels }) => channels.confirm('chn_1', '012345'),
    { code: '012345' },
    200,
    channel,
  ],
  [
    'confirm without a code',
    'POST /api/notification-channels/chn_1/confirm',
    ({ channels }) => channels.confirm('chn_1'),
    {},
    200,
    channel,
  ],
];

/** Each call whose answer has no body. */
const empty: [string, string, (uptime: Uptime) => Promise<unknown>][] = [
  ['delete', 'DELETE /api/notification-channels/chn_1', ({ channels }) => channels.delete('chn_1')],
  ['test', 'POST /api/notification-channels/chn_1/test', ({ channels }) => channels.test('chn_1')],
];

test.each(calls)('channels.%s sends %s, and returns the answer', async (_, line, call, body, status, answer) => {
  const { client, seen } = await serve(json(status, answer));
  expect(await call(client())).toEqual(answer);
  expect(seen.map((request) => request.line)).toEqual([line]);
  expect(seen[0]!.body).toBe(body === null ? '' : JSON.stringify(body));
});

test.each(empty)('channels.%s sends %s, and returns nothing', async (_, line, call) => {
  const { client, seen } = await serve((_, response) => response.writeHead(204).end());
  expect(await call(client())).toBeUndefined();
  expect(seen.map((request) => `${request.line} ${request.body}`.trim())).toEqual([line]);
});
