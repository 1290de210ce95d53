import { expect, onTestFinished, test } from 'vitest';
import { dnsTarget } from '../../../../daemon/src/testing/targets/dns.ts';
import { createTestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../../testing/account.ts';

test('the exit code of `pages verify-domain` says whether the domain works, and a message says what is wrong', async () => {
  const dns = await dnsTarget({
    'pages.example.net': { A: ['127.0.0.1'] },
    'status.example.com': { CNAME: 'somewhere.example.org' },
    'shop.example.com': { CNAME: 'pages.example.net' },
    'example.com': { A: ['127.0.0.1'] },
  });
  onTestFinished(() => dns.close());
  const env = { UPTIME_PUBLIC_HOST: 'pages.example.net', UPTIME_DNS_SERVERS: dns.server };
  const daemon = await createTestDaemon({ env });
  onTestFinished(() => daemon.close());
  await using session = await openAccount(daemon, 'verify-domain');
  for (const [slug, domain] of Object.entries({
    status: 'status.example.com',
    shop: 'shop.example.com',
    apex: 'example.com',
  })) {
    const words = ['pages', 'create', '--name', slug, '--slug', slug, '--custom-domain', domain];
    const created = await session.uptime(words);
    expect(created).toMatchObject({ exit: 0 });
    if (slug !== 'apex') expect(created.stdout).toMatch(/^domain: +pending; set its CNAME to pages\.example\.net$/m);
    else {
      expect(created.stdout).toMatch(
        /^domain: +pending; it cannot have a CNAME: set an ALIAS record to pages\.example\.net, or A and AAAA records with its addresses, and a TXT record _uptime\.example\.com with the value "uptime-project=prj_\w+"$/m,
      );
    }
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

  // An apex cannot have a CNAME. Only the TXT record is missing here, so the advice must not name a CNAME.
  const apex = await session.uptime(['pages', 'verify-domain', 'apex']);
  expect(apex).toMatchObject({ exit: 1, stdout: '' });
  expect(apex.stderr).toMatch(
    /^example\.com: error: .* add a TXT record _uptime\.example\.com with the value "uptime-project=prj_\w+"\.\n$/,
  );
  const shown = await session.uptime(['pages', 'get', 'apex']);
  expect(shown.stdout).toContain('add a TXT record _uptime.example.com with the value');
  expect(shown.stdout).not.toContain('CNAME to');
});
