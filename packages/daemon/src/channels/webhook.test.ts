import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ChannelConfig } from '@uptime/sdk/contract';
import { createFakeClock } from '../testing/fake-clock.ts';
import { messageOf, testChannelContext } from '../testing/messages.ts';
import { httpTarget, type ReceivedRequest } from '../testing/targets/index.ts';
import { webhook } from './webhook.ts';

const at = Date.UTC(2026, 0, 31, 9, 0, 0, 900);
const payload =
  '{"event":"monitor_down","monitor":{"id":"mon_1","name":"Shop","url":"https://shop.example/cart?a=1&b=2"},' +
  '"timestamp":"2026-01-31T08:00:00.000Z","details":{"statusCode":500,"responseTime":31,"region":"eu"}}';

/** Sends a message with the clock at `at`, and returns the request that arrives. */
const received = async (
  { path = '/hook', ...config }: Partial<ChannelConfig<'webhook'>> & { path?: string },
  message = messageOf(),
): Promise<ReceivedRequest> => {
  await using target = await httpTarget();
  const whole = { url: `${target.url}${path}`, method: 'POST' as const, headers: {}, secret: null, ...config };
  const sent = await webhook.send(whole, message, testChannelContext({ clock: createFakeClock(at) }));
  expect(sent).toMatchObject({ ok: true, status: 200 });
  return target.requests[0]!;
};

const signed = (key: string | Buffer, body: string) =>
  `v1,${createHmac('sha256', key)
    .update(`dlv_1.${Math.floor(at / 1000)}.${body}`)
    .digest('base64')}`;

test.each(['POST', 'PUT', 'PATCH'] as const)('a %s request carries exactly the documented payload', async (method) => {
  const request = await received({ method });
  expect(request).toMatchObject({ method, url: '/hook', body: payload });
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': 'dlv_1',
    'webhook-timestamp': '1769850000',
  });
  expect(request.headers).not.toHaveProperty('webhook-signature');
});

test.each([
  ['/hook', '/hook?payload='],
  ['/hook?', '/hook?payload='],
  ['/hook?key=a%20b+c#top', '/hook?key=a%20b+c&payload='],
])('a GET request to %s has the payload in its query, and no body', async (path, expected) => {
  const request = await received({ method: 'GET', path, secret: 'key' });
  expect(request).toMatchObject({ method: 'GET', url: expected + encodeURIComponent(payload), body: '' });
  expect(request.headers['webhook-signature']).toBe(signed('key', payload));
});

test('the payload about a heartbeat has an empty address, and zeros in place of a response', async () => {
  const message = messageOf('monitor_down', {
    monitor: { id: 'mon_2', name: 'Backup', url: '' },
    details: { statusCode: 0, responseTime: 0, region: '' },
  });
  expect(JSON.parse((await received({}, message)).body)).toEqual({
    event: 'monitor_down',
    monitor: { id: 'mon_2', name: 'Backup', url: '' },
    timestamp: '2026-01-31T08:00:00.000Z',
    details: { statusCode: 0, responseTime: 0, region: '' },
  });
});

test.each([
  'monitor_up',
  'ssl_expiring',
  'ssl_expired',
  'ssl_invalid',
  'domain_expiring',
  'domain_expired',
  'test',
] as const)('the payload of a message about %s names this event', async (event) => {
  expect(JSON.parse((await received({}, messageOf(event))).body)).toMatchObject({ event });
});

test('a secret with the prefix whsec_ contains the key in base64, and any other secret is the key itself', async () => {
  const key = Buffer.from('000102030405060708090a0b0c0d0e0f1011121314151617', 'hex');
  const prefixed = await received({ secret: `whsec_${key.toString('base64')}` });
  expect(prefixed.headers['webhook-signature']).toBe(signed(key, prefixed.body));
  const plain = await received({ secret: 'MfKQ9r8GKYqrTwjU' });
  expect(plain.headers['webhook-signature']).toBe(signed('MfKQ9r8GKYqrTwjU', plain.body));
});

test("the user's headers are sent, except those that the webhook sets to identify the delivery and the sender", async () => {
  const { headers, body } = await received({
    secret: 'key',
    headers: {
      'X-Team': 'ops',
      'Content-Type': 'application/vnd.team+json',
      'Webhook-Id': 'forged',
      'WEBHOOK-TIMESTAMP': '0',
      'webhook-signature': 'v1,forged',
    },
  });
  expect(body).toBe(payload);
  expect(headers).toMatchObject({
    'x-team': 'ops',
    'content-type': 'application/vnd.team+json',
    'webhook-id': 'dlv_1',
    'webhook-timestamp': '1769850000',
    'webhook-signature': signed('key', payload),
  });
});

test('an invalid address or header makes the attempt fail for good, and the result does not show the value', async () => {
  const broken: Omit<ChannelConfig<'webhook'>, 'secret'>[] = [
    { url: 'nowhere', method: 'GET', headers: {} },
    { url: 'http://127.0.0.1:1/', method: 'POST', headers: { 'x-team': 'a secret\r\nx-injected: yes' } },
  ];
  for (const config of broken) {
    const sent = await webhook.send({ ...config, secret: null }, messageOf(), testChannelContext());
    expect(sent).toMatchObject({ ok: false, retry: false });
    expect(sent.text).not.toContain('a secret');
  }
});
