import { expect, test } from 'vitest';
import { messageOf } from '../testing/messages.ts';
import { startProvider } from '../testing/providers/index.ts';
import type { NoticeEvent } from './index.ts';

const sent = async (...message: Parameters<typeof messageOf>) => {
  await using provider = await startProvider('pagerduty');
  await provider.send(messageOf(...message));
  return JSON.parse(provider.requests[0]!.body) as { event_action: string; payload?: { severity: string } };
};

test('an alarm or reminder triggers an incident, and a recovery or `close` message resolves that incident', async () => {
  expect(await sent()).toMatchObject({ event_action: 'trigger', dedup_key: 'alr_1' });
  expect(await sent('monitor_down', { kind: 'reminder' })).toMatchObject({
    event_action: 'trigger',
    dedup_key: 'alr_1',
  });
  for (const end of [await sent('monitor_up'), await sent('ssl_expired', { kind: 'close', error: null })])
    expect(end).toEqual({ routing_key: expect.any(String) as string, event_action: 'resolve', dedup_key: 'alr_1' });
});

test('the payload of an alarm has cause, address and time', async () => {
  expect(await sent()).toMatchObject({
    client_url: 'https://shop.example/cart?a=1&b=2',
    payload: {
      summary: 'Down: Shop. Answered 500 Internal Server Error; expected 200-299.',
      source: 'https://shop.example/cart?a=1&b=2',
      timestamp: '2026-01-31T08:00:00.000Z',
      class: 'monitor_down',
      custom_details: { 'Down since': '2026-01-31 08:00:00 UTC', 'HTTP status': '500', Rule: 'Everything' },
    },
  });
});

test.each<[NoticeEvent, string]>([
  ['monitor_down', 'critical'],
  ['ssl_expiring', 'warning'],
  ['ssl_expired', 'error'],
  ['ssl_invalid', 'error'],
  ['domain_expiring', 'warning'],
  ['domain_expired', 'error'],
  ['test', 'info'],
])('a message about %s has the severity %s', async (event, severity) => {
  expect((await sent(event)).payload?.severity).toBe(severity);
});
