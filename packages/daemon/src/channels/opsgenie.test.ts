import { expect, test } from 'vitest';
import { messageOf } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';
import type { NoticeEvent } from './index.ts';

const sent = async (...message: Parameters<typeof messageOf>) => {
  await using provider = await startProvider('opsgenie');
  await provider.send(messageOf(...message));
  const { url, body } = provider.requests[0]!;
  return { url, ...(JSON.parse(body) as { priority?: string }) };
};

test('an alarm or reminder creates an Opsgenie alert, and a recovery or `close` message closes that alert', async () => {
  expect(await sent()).toMatchObject({ url: '/v2/alerts', alias: 'alr_1', message: 'Down: Shop' });
  expect(await sent('monitor_down', { kind: 'reminder' })).toMatchObject({ url: '/v2/alerts', alias: 'alr_1' });
  expect(await sent('monitor_up')).toEqual({
    url: '/v2/alerts/alr_1/close?identifierType=alias',
    source: 'uptime',
    note: 'It was down for 5 min 12 s.',
  });
  expect((await sent('ssl_expired', { kind: 'close', error: null })).url).toBe(
    '/v2/alerts/alr_1/close?identifierType=alias',
  );
});

test('an Opsgenie alert has cause, address and time', async () => {
  expect(await sent()).toMatchObject({
    description: expect.stringMatching(/^Answered 500 [^]*Down since: 2026-01-31 08:00:00 UTC[^]*https:/) as string,
    details: { Address: 'https://shop.example/cart?a=1&b=2', 'HTTP status': '500' },
    entity: 'https://shop.example/cart?a=1&b=2',
    tags: ['monitor_down'],
  });
});

test.each<[NoticeEvent, string]>([
  ['monitor_down', 'P1'],
  ['ssl_expiring', 'P3'],
  ['ssl_expired', 'P2'],
  ['ssl_invalid', 'P2'],
  ['domain_expiring', 'P3'],
  ['domain_expired', 'P2'],
  ['test', 'P5'],
])('a message about %s has the priority %s', async (event, priority) => {
  expect((await sent(event)).priority).toBe(priority);
});
