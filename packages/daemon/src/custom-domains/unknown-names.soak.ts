import { expect, test, vi } from 'vitest';
import { ask } from '../testing/ask.ts';
import { tryHandshake } from '../testing/try-handshake.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { acmeTarget } from '../testing/targets/acme.ts';
import { dnsTarget } from '../testing/targets/dns.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';

const handshakes = 10_000;
const maxAtOnce = 100;

test('ten thousand TLS handshakes with unknown names cause no order of a certificate, and the daemon continues to serve', async () => {
  await using acme = await acmeTarget();
  await using dns = await dnsTarget({ 'status.example.com': { CNAME: 'pages.example.net' } });
  const daemon = await createTestDaemon({
    runCheck: passingCheck,
    env: {
      UPTIME_HTTPS_PORT: '0',
      UPTIME_PUBLIC_HOST: 'pages.example.net',
      UPTIME_ACME_DIRECTORY_URL: acme.directoryUrl,
      UPTIME_DNS_SERVERS: dns.server,
    },
  });
  acme.challengePort = Number(new URL(daemon.url).port);
  const port = daemon.httpsPort!;
  const { body } = await daemon.request('POST', '/api/status-pages', {
    name: 'Shop',
    slug: 'shop',
    customDomain: 'status.example.com',
  });
  await daemon.request('POST', `/api/status-pages/${(body as { id: string }).id}/verify-domain`);
  const served = async () => (await ask(port, 'status.example.com', '/', { ca: acme.ca })).status;
  await vi.waitFor(async () => expect(await served()).toBe(200), 10_000);

  const outcomes = new Map<string, number>();
  const slowest = { page: 0, api: 0 };
  for (let begun = 0; begun < handshakes; begun += maxAtOnce) {
    const attempts = Array.from({ length: maxAtOnce }, (_, n) =>
      tryHandshake(port, `unknown-${begun + n}.example.com`),
    );
    const startMonoMs = performance.now();
    expect(await served()).toBe(200);
    const betweenMonoMs = performance.now();
    expect((await daemon.request('GET', '/api/status-pages')).status).toBe(200);
    slowest.page = Math.max(slowest.page, betweenMonoMs - startMonoMs);
    slowest.api = Math.max(slowest.api, performance.now() - betweenMonoMs);
    for (const outcome of await Promise.all(attempts)) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect([...outcomes]).toEqual([['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', handshakes]]);
  expect(acme.orders).toEqual(['status.example.com']);
  expect(slowest.page).toBeLessThan(2000);
  expect(slowest.api).toBeLessThan(2000);
  await daemon.close();
});
