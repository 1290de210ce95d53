import { expect, test } from 'vitest';
import { messageOf, testChannelContext } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';
import { httpTarget } from '../testing/targets/index.ts';
import { ntfy } from './ntfy.ts';

test('an alarm is published as JSON to the root of the server, with an urgent priority', async () => {
  await using server = await startProvider('ntfy');
  expect(await server.send(messageOf())).toMatchObject({ ok: true, status: 200 });
  expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/' });
  expect(JSON.parse(server.requests[0]!.body)).toEqual({
    topic: 'shop-alerts',
    title: 'Down: Shop',
    message: [
      'Answered 500 Internal Server Error; expected 200-299.',
      'Address: https://shop.example/cart?a=1&b=2',
      'Down since: 2026-01-31 08:00:00 UTC',
      'HTTP status: 500',
      'Checked from: eu',
      'Rule: Everything',
    ].join('\n'),
    priority: 5,
    tags: ['red_circle'],
    click: 'https://shop.example/cart?a=1&b=2',
  });
});

test.each([
  ['monitor_up', 3, 'green_circle'],
  ['ssl_expiring', 4, 'orange_circle'],
  ['domain_expired', 5, 'red_circle'],
  ['test', 3, 'bell'],
] as const)('a message about %s has priority %i and the tag %s', async (event, priority, tag) => {
  await using server = await startProvider('ntfy');
  await server.send(messageOf(event));
  expect(JSON.parse(server.requests[0]!.body)).toMatchObject({ priority, tags: [tag] });
});

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

test.each([
  ['', undefined],
  ['phil:p%40ss:w%C3%B6rd@', basic('phil:p@ss:wörd')],
  [':tk_3gd7d2yftt4b8ixyfe9mnmro88o76@', basic(':tk_3gd7d2yftt4b8ixyfe9mnmro88o76')],
  ['phil@', basic('phil:')],
  ['a%zz:%@', basic('a%zz:%')],
])('credentials "%s" in the address become a header', async (userinfo, authorization) => {
  await using target = await httpTarget();
  const serverUrl = target.url.replace('://', `://${userinfo}`);
  expect(await ntfy.send({ topic: 't', serverUrl }, messageOf(), testChannelContext())).toMatchObject({ ok: true });
  expect(target.requests[0]!.url).toBe('/');
  expect(target.requests[0]!.headers.authorization).toBe(authorization);
});
