import { afterAll, beforeAll, expect, test } from 'vitest';
import { passingCheck } from '../testing/passing-check.ts';
import { stripeSignature } from '../testing/stripe-events.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_SITE_URL: 'https://status.example.com' } });
  await daemon.inject({
    method: 'POST',
    url: '/api/status-pages',
    headers: { 'x-api-key': daemon.apiKey },
    payload: { name: 'Shop', slug: 'shop' },
  });
});
afterAll(() => daemon.close());

const headersOf = async (url: string, headers: Record<string, string> = {}) =>
  (await daemon.inject({ url, headers })).headers;

test.each([
  '/api/monitors',
  '/api/projects/current',
  '/api/openapi.json',
  '/healthz',
  '/status/shop',
  '/status/shop.json',
  '/status/shop/feed.atom',
  '/status/shop/badge.svg',
])('%s is guessed at, framed and leaked by no browser, and comes by https alone', async (url) => {
  const headers = await headersOf(url, { 'x-api-key': daemon.apiKey });
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
  });
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(headers['server'] ?? headers['x-powered-by']).toBeUndefined();
});

test.each(['/nowhere', '/api/monitors', '/status/nobody', `/ping/${'a'.repeat(32)}`, '/api/monitors/%00'])(
  'so is the error at %s',
  async (url) => {
    expect(await headersOf(url)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    });
  },
);

test('so are the payment pages, and what the payment provider is answered', async () => {
  const secret = 'whsec_of_this_test';
  const env = {
    UPTIME_BILLING: 'stripe',
    UPTIME_STRIPE_WEBHOOK_SECRET: secret,
    UPTIME_SITE_URL: 'https://status.example.com',
  };
  const charged = await createTestDaemon({ runCheck: passingCheck, env });
  try {
    const payload = JSON.stringify({ id: 'evt_1', type: 'charge.succeeded', created: 1, data: { object: {} } });
    const signed = { 'stripe-signature': stripeSignature(payload, secret) };
    for (const answer of [
      await charged.inject({ url: '/checkout/success' }),
      await charged.inject({ method: 'POST', url: '/api/billing/webhook', headers: signed, payload }),
    ]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
      });
    }
  } finally {
    await charged.close();
  }
});

test('a site that is served by http asks for no https', async () => {
  const plain = await createTestDaemon({ runCheck: passingCheck });
  try {
    expect((await plain.request('GET', '/api/monitors')).headers.get('strict-transport-security')).toBeNull();
  } finally {
    await plain.close();
  }
});
