import { expect, onTestFinished, test } from 'vitest';
import { dnsTarget } from '../../../../daemon/src/testing/targets/dns.ts';
import { createTestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../../testing/account.ts';

test('the exit code says whether the domain works, and a message says what is wrong', async () => {
  const dns = await dnsTarget({
    'pages.example.net': { A: ['127.0.0.1'] },
    'status.example.com': { CNAME: 'somewhere.example.org' },
    'shop.example.com': { CNAME: 'pages.example.net' },
  });
  onTestFinished(() => dns.close());
  const env = { UPTIME_PUBLIC_HOST: 'pages.example.net', UPTIME_DNS_SERVERS: dns.server };
  const daemon = await createTestDaemon({ env });
  onTestFinished(() => daemon.close());
  await using session = await openAccount(daemon, 'verify-domain');
  for (const slug of ['status', 'shop']) {
    const words = ['pages', 'create', '--name', slug, '--slug', slug, '--custom-domain', `${slug}.example.com`];
    expect(await session.uptime(words)).toMatchObject({ exit: 0 });
  }

  expect(await session.uptime(['pages', 'verify-domain', 'shop'])).toEqual({
    exit: 0,
    stdout: '',
    stderr: 'shop.example.com: active\n',
  });
  const { exit, stdout, stderr } = await session.uptime(['pages', 'verify-domain', 'status', '-o', 'json']);
  expect({ exit, domain: (JSON.parse(stdout) as { domain: object }).domain }).toMatchObject({
    exit: 1,
    domain: { status: 'error', cname: 'pages.example.net' },
  });
  expect(stderr).toMatch(
    /^status\.example\.com: error: .*somewhere\.example\.org.*; set its CNAME to pages\.example\.net\n$/,
  );
});
