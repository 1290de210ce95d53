import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPlans } from '../../daemon/src/testing/billing.ts';
import { type DnsTarget, dnsTarget, type Zone } from '../../daemon/src/testing/targets/dns.ts';
import { createTestDaemon, type TestDaemon } from '../../daemon/src/testing/test-daemon.ts';
import { commands } from './commands/index.ts';
import { openAccount, testPassword } from './testing/account.ts';
import { openSession, type Session, type SessionServer } from './testing/session.ts';
import { version } from './version.ts';

/** The domains of status pages, which point to the daemon. */
const zones: Record<string, Zone> = { 'pages.example.net': { A: ['127.0.0.1'] } };
let dns: DnsTarget;
let daemon: TestDaemon;
beforeAll(async () => {
  dns = await dnsTarget(zones);
  daemon = await createTestDaemon({
    env: { UPTIME_BILLING: 'sandbox', UPTIME_PUBLIC_HOST: 'pages.example.net', UPTIME_DNS_SERVERS: dns.server },
  });
  await createPlans(daemon, [{ name: 'Team', monitors: 100, checkInterval: 10, regions: 3, price: 19 }]);
});
afterAll(async () => {
  await daemon.close();
  await dns.close();
});

test('the version is the one of package.json', () => {
  const { version: packaged } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(version).toBe(packaged);
});

/** The content of the files that examples redirect to standard input. */
const inputs = (session: Session<SessionServer>): Record<string, string> => ({
  'key.txt': session.server.apiKey,
  'password.txt': testPassword,
  'webhook-url.txt': `https://hooks.example.com/${headerSecret}`,
});

/** Splits an example as a shell would: into words, and the file after `<` for standard input. */
function typed(example: string, session: Session<SessionServer>): [words: string[], options: { stdin?: string }] {
  const [line = '', redirect] = example.split(/ [<>] /);
  const words = (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));
  return [words, { stdin: inputs(session)[redirect ?? ''] ?? '' }];
}

/** The value of a monitor's header, from the environment. */
const headerSecret = 'hush-hush-hush';

async function openFilled(name: string): Promise<Session<SessionServer>> {
  const session = await openAccount(daemon, name);
  await session.write(
    'monitors.yaml',
    [
      'monitors:',
      '  - { key: nightly-backup, name: Backup, type: heartbeat }',
      `  - { key: shop, name: Shop, type: http, url: "${daemon.url}/healthz", headers: { Authorization: "Bearer \${CANARY}" } }`,
      'channels:',
      '  - key: ops',
      '    name: Ops',
      '    type: webhook',
      `    config: { url: "${daemon.url}/healthz?\${CANARY}", method: GET, headers: { X-Team: "\${CANARY}" } }`,
      'alertRules:',
      '  - { key: backups, name: Backups, monitors: [nightly-backup], channels: [ops] }',
      'statusPages:',
      `  - { key: shop, name: Status, slug: ${name}, monitors: [shop], customDomain: ${name}.example.com }`,
      'maintenance:',
      '  - title: Database move',
      '    scheduledStart: 2100-05-01T02:00:00Z',
      '    scheduledEnd: 2100-05-01T04:00:00Z',
      '    monitors: [shop]',
    ].join('\n'),
  );
  session.env['CANARY'] = headerSecret;
  zones[`${name}.example.com`] = { CNAME: 'pages.example.net' };
  expect(await session.uptime(['apply', '-f', 'monitors.yaml', '--yes'])).toMatchObject({ exit: 0 });
  if (name.includes('alerts')) await alarm(session);
  const incident = ['incidents', 'create', '--title', 'Checkout is slow', '--monitors', 'shop'];
  if (name.includes('incidents')) expect(await session.uptime(incident)).toMatchObject({ exit: 0 });
  return session;
}

/** Fires an alarm, and waits until it is delivered. */
async function alarm(session: Session<SessionServer>): Promise<void> {
  expect(await session.uptime(['ping', 'nightly-backup', '--fail'])).toMatchObject({ exit: 0 });
  const sent = () => session.uptime(['alerts', 'deliveries', '--status', 'sent', '-q']);
  await vi.waitFor(async () => expect((await sent()).stdout).toMatch(/^dlv_/), { timeout: 10_000 });
}

test.each(commands.map(({ path, examples }) => [path, examples] as const))(
  'the examples of %s run',
  async (path, examples) => {
    for (const [i, example] of examples.entries()) {
      await using session = await openFilled(`${path.replaceAll(' ', '-')}-${i}`);
      const { exit, stderr } = await session.uptime(...typed(example, session));
      expect({ example, exit, stderr }).toMatchObject({ exit: 0 });
    }
  },
);

test.each(commands.map(({ path }) => path))('%s --help prints the usage and two examples', async (path) => {
  await using session = await openSession();
  const { exit, stdout } = await session.uptime([...path.split(' '), '--help']);
  expect(exit).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: uptime ${path} `));
  expect(stdout.match(/^ {2}\$ uptime /gm)).toHaveLength(2);
});

// Concurrent, as most of the time goes into waits before retries.
test.concurrent.each(commands.map(({ path, examples }) => [path, examples] as const))(
  'no output and no error of %s holds a key, a cookie or a password',
  async (path, examples) => {
    await using session = await openFilled(`canary-${path.replaceAll(' ', '-')}`);
    const settings = readFileSync(`${session.cwd}/config.json`, 'utf8');
    const cookie = /session_token=([^"]+)"/.exec(settings)![1]!;
    const canaries = [session.server.apiKey, cookie, testPassword, headerSecret];
    const broken = [401, 500].map((status) => (): Promise<Response> => {
      const body = JSON.stringify({ status, code: 'internal', title: 'x', detail: 'It failed.' });
      return Promise.resolve(new Response(body, { status, headers: { 'content-type': 'application/problem+json' } }));
    });
    const cut = () => Promise.reject(new TypeError('fetch failed'));
    for (const line of [`${examples[0]} --verbose`, examples[1], path, `${path} --nonsense`]) {
      for (const fetch of line.endsWith('--verbose') ? [cut, ...broken, globalThis.fetch] : [globalThis.fetch]) {
        const [words, options] = typed(line, session);
        const { stdout, stderr } = await session.uptime(quick(words), { ...options, fetch });
        for (const canary of canaries) expect(stdout + stderr).not.toContain(canary);
      }
    }
  },
);

/** Turns off the retries of pings. */
const quick = (words: string[]): string[] =>
  words[0] === 'ping' || words[0] === 'exec' ? [words[0], '--retry-for', '0', ...words.slice(1)] : words;
