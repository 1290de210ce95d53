import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { allEndpoints, type Endpoint } from '@uptime/sdk/contract';
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
])('the headers of %s forbid guessed content types, frames and referrers, and ask for https', async (url) => {
  const headers = await headersOf(url, { 'x-api-key': daemon.apiKey });
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
  });
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
  // Scripts of other sites may read the JSON of a public page, because it needs no credential.
  expect(headers['access-control-allow-origin']).toBe(url.endsWith('/shop.json') ? '*' : undefined);
  expect(headers['access-control-allow-credentials']).toBeUndefined();
  expect(headers['server'] ?? headers['x-powered-by']).toBeUndefined();
});

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
};
const alwaysOfData = { ...always, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" };

test.each(['/nowhere', '/api/monitors', '/status/nobody', `/ping/${'a'.repeat(32)}`, '/api/monitors/%00', '/api/%'])(
  'the error at %s has the security headers, and is not cached',
  async (url) => {
    expect(await headersOf(url)).toMatchObject({ ...alwaysOfData, 'cache-control': 'no-store' });
  },
);

test('every answer of known and unknown routes has the security headers, with and without a key', async () => {
  const routes = Object.values<Endpoint>(allEndpoints).map(({ method, path, site }) => ({
    method,
    url: `${site ? '' : '/api'}${path.replaceAll(/:\w+/g, 'x')}`,
  }));
  const others = ['/api', '/favicon.ico', '/checkout/nowhere', '/.well-known/acme-challenge/x', '//api/monitors'];
  const asked = [
    ...routes,
    ...routes.map(({ url }) => ({ method: 'PUT' as const, url })),
    ...[...others, `/${'a'.repeat(5000)}`, '/status/shop/%FF'].flatMap((url) =>
      (['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'] as const).map((method) => ({ method, url })),
    ),
  ];
  expect(asked.length).toBeGreaterThan(150);
  for (const headers of [{}, { 'x-api-key': daemon.apiKey }]) {
    for (const one of asked) {
      const answer = await daemon.inject({ ...one, headers });
      expect([one, answer.headers]).toMatchObject([one, alwaysOfData]);
    }
  }
});

test('the answer to a recorded ping, and the 304 for an unchanged page, have the security headers', async () => {
  const made = await daemon.inject({
    method: 'POST',
    url: '/api/monitors',
    headers: { 'x-api-key': daemon.apiKey },
    payload: { type: 'heartbeat', name: 'backup' },
  });
  const pinged = await daemon.inject({ url: new URL(made.json<{ pingUrl: string }>().pingUrl).pathname });
  expect(pinged).toMatchObject({ statusCode: 200, headers: alwaysOfData });
  const { etag } = await headersOf('/status/shop');
  const known = await daemon.inject({ url: '/status/shop', headers: { 'if-none-match': String(etag) } });
  expect(known).toMatchObject({ statusCode: 304, headers: always });
});

test.each([
  ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
  ['a header that is too long', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
])('the answer to %s has the security headers', async (_, sent) => {
  const socket = connect(Number(new URL(daemon.url).port), '127.0.0.1');
  socket.write(sent);
  const [head = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  for (const [name, value] of Object.entries(alwaysOfData)) expect(head).toContain(`${name}: ${value}`);
});

test('the payment pages and the answers to the payment provider have the security headers', async () => {
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
        ...always,
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
      });
    }
  } finally {
    await charged.close();
  }
});

test('the answers of a site on http do not ask browsers for https', async () => {
  const plain = await createTestDaemon({ runCheck: passingCheck });
  try {
    expect((await plain.request('GET', '/api/monitors')).headers.get('strict-transport-security')).toBeNull();
  } finally {
    await plain.close();
  }
});
