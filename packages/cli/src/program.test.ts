import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPlans } from '../../daemon/src/testing/billing.ts';
import { type DnsTarget, dnsTarget, type Zone } from '../../daemon/src/testing/targets/dns.ts';
import { type HttpTarget, httpTarget } from '../../daemon/src/testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../../daemon/src/testing/test-daemon.ts';
import { commands } from './commands/index.ts';
import { openAccount, testPassword } from './testing/account.ts';
import { storeProfile } from './profile-file.ts';
import { openSession, type Session, type SessionServer } from './testing/session.ts';
import { version } from './version.ts';

/** The DNS zones with the domains of status pages, which point to the daemon. */
const zones: Record<string, Zone> = { 'pages.example.net': { A: ['127.0.0.1'] } };
let dns: DnsTarget;
let daemon: TestDaemon;
/** The target of the monitors and of the channels. */
let target: HttpTarget;
beforeAll(async () => {
  target = await httpTarget();
  dns = await dnsTarget(zones);
  daemon = await createTestDaemon({
    env: { UPTIME_BILLING: 'sandbox', UPTIME_PUBLIC_HOST: 'pages.example.net', UPTIME_DNS_SERVERS: dns.server },
  });
  await createPlans(daemon, [{ name: 'Team', monitors: 100, checkInterval: 10, regions: 3, price: 19 }]);
});
afterAll(async () => {
  await daemon.close();
  await dns.close();
  await target.close();
});

test('the version of the program equals the version in package.json', () => {
  const { version: packaged } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(version).toBe(packaged);
});

/** The content of the files that examples pass to standard input. */
const inputs = (session: Session<SessionServer>): Record<string, string> => ({
  'key.txt': session.server.apiKey,
  'password.txt': testPassword,
  'webhook-url.txt': `https://hooks.example.com/${headerSecret}`,
});

/** Splits an example as a shell would: into the words, and the content of the file after `<` as standard input. */
function typed(example: string, session: Session<SessionServer>): [words: string[], options: { stdin?: string }] {
  const [line = '', redirect] = example.split(/ [<>] /);
  const words = (line.match(/'[^']*'|\S+/g) ?? []).map((word) =>
    word.replaceAll("'", '').replace(/^prb_01J8$/, session.env['PROBE_ID'] ?? ''),
  );
  return [words, { stdin: inputs(session)[redirect ?? ''] ?? '' }];
}

/** The secret value of a monitor's header. The manifest reads it from an environment variable. */
const headerSecret = 'hush-hush-hush';

async function openFilled(name: string): Promise<Session<SessionServer>> {
  const session = await openAccount(daemon, name);
  await session.write(
    'monitors.yaml',
    [
      'monitors:',
      // The interval is longer than a run of this test file, so the heartbeat does not go down.
      '  - { key: nightly-backup, name: Backup, type: heartbeat, interval: 86400 }',
      `  - { key: shop, name: Shop, type: http, url: "${target.url}/", headers: { Authorization: "Bearer \${CANARY}" } }`,
      'channels:',
      '  - key: ops',
      '    name: Ops',
      '    type: webhook',
      `    config: { url: "${target.url}/?\${CANARY}", method: GET, headers: { X-Team: "\${CANARY}" } }`,
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
  await session.write('config.yaml', 'endpoints: [{ name: shop, url: "https://shop.example.com" }]\n');
  await session.write('jobs.cron', '30 2 * * * backup\n');
  session.env['CANARY'] = headerSecret;
  zones[`${name}.example.com`] = { CNAME: 'pages.example.net' };
  expect(await session.uptime(['apply', '-f', 'monitors.yaml', '--yes'])).toMatchObject({ exit: 0 });
  if (name.includes('alerts')) await alarm(session);
  const incident = ['incidents', 'create', '--title', 'Checkout is slow', '--monitors', 'shop'];
  if (name.includes('incidents')) expect(await session.uptime(incident)).toMatchObject({ exit: 0 });
  const key = ['keys', 'create', '--name', 'ci', '--scope', 'read'];
  if (name.includes('keys-delete')) expect(await session.uptime(key)).toMatchObject({ exit: 0 });
  if (name.includes('probes')) await becomeAdmin(session);
  return session;
}

/** Logs the session in as an admin of the server, and creates a probe token. */
async function becomeAdmin(session: Session<SessionServer>): Promise<void> {
  const { url: siteUrl, apiKey, cookie } = daemon;
  await storeProfile(session.env, 'default', { siteUrl, apiKey, session: cookie });
  session.server.apiKey = apiKey;
  expect(await session.uptime(['probes', 'add', 'eu-west', '-q'])).toMatchObject({ exit: 0 });
  const { stdout } = await session.uptime(['probes', 'list', '-q']);
  session.env['PROBE_ID'] = stdout.trim().split('\n').at(-1) ?? '';
}

/** Commands that change nothing. Their examples can share one account. */
const reading =
  /^(?:whoami|usage|version|(?:sessions|projects|keys) list|monitors (?:diff|validate|export|status|list|get|stats|history)|(?:channels|rules|incidents|pages) (?:list|get)|maintenance list|alerts (?:list|show|deliveries)|billing (?:plans|subscription))$/;
const shared = new Map<string, Promise<Session<SessionServer>>>();
afterAll(async () => {
  for (const session of shared.values()) await (await session)[Symbol.asyncDispose]();
});

/** Runs a function with an account that has data. Each command that changes something has its own account. */
async function withAccount(path: string, name: string, run: (session: Session<SessionServer>) => Promise<void>) {
  if (!reading.test(path)) {
    await using session = await openFilled(name);
    await run(session);
    return;
  }
  const [noun = ''] = path.split(' ');
  const kind = ['alerts', 'incidents'].includes(noun) ? `${noun}-read` : 'read';
  const session = shared.get(kind) ?? openFilled(kind);
  shared.set(kind, session);
  await run(await session);
}

/** Causes an alarm, and waits until its message is delivered. */
async function alarm(session: Session<SessionServer>): Promise<void> {
  expect(await session.uptime(['ping', 'nightly-backup', '--fail'])).toMatchObject({ exit: 0 });
  const sent = () => session.uptime(['alerts', 'deliveries', '--status', 'sent', '-q']);
  await vi.waitFor(async () => expect((await sent()).stdout).toMatch(/^dlv_/), { timeout: 10_000 });
}

test.each(commands.map(({ path }) => path))('%s --help prints the usage and two examples', async (path) => {
  await using session = await openSession();
  const { exit, stdout } = await session.uptime([...path.split(' '), '--help']);
  expect(exit).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: uptime ${path} `));
  expect(stdout.match(/^ {2}\$ uptime /gm)).toHaveLength(2);
});

const cut = () => Promise.reject(new TypeError('fetch failed'));
const broken = [401, 500].map((status) => (): Promise<Response> => {
  const body = JSON.stringify({ status, code: 'internal', title: 'x', detail: 'It failed.' });
  return Promise.resolve(new Response(body, { status, headers: { 'content-type': 'application/problem+json' } }));
});

/** Runs a command line, and checks that its output contains no key, cookie or password. */
async function runQuietly(
  session: Session<SessionServer>,
  line: string,
  { flags = [], fetch = globalThis.fetch }: { flags?: string[]; fetch?: typeof globalThis.fetch } = {},
) {
  const settings = readFileSync(`${session.cwd}/config.json`, 'utf8');
  const cookie = /session_token=([^"]+)"/.exec(settings)?.[1];
  const [words, options] = typed(line, session);
  const { exit, stdout, stderr } = await session.uptime([...quick(words), ...flags], { ...options, fetch });
  for (const secret of [session.server.apiKey, cookie, testPassword, headerSecret])
    if (secret !== undefined) expect(stdout + stderr).not.toContain(secret);
  return { line, exit, stderr };
}

// The examples run at the same time, because most of their time is spent in waits before retries.
test.concurrent.each(commands.map(({ path, examples }) => [path, examples] as const))(
  'the examples of %s succeed, and their output and errors contain no key, cookie or password',
  async (path, [first, ...others]) => {
    const name = path.replaceAll(' ', '-');
    await withAccount(path, `${name}-0`, async (session) => {
      const flags = ['--verbose'];
      const { exit } = await runQuietly(session, first, { flags, fetch: cut });
      for (const fetch of broken) await runQuietly(session, first, { flags, fetch });
      // With `cut`, all requests failed. If the command succeeded all the same, it needs no server, and this test is
      // done.
      if (exit !== 0) expect(await runQuietly(session, first, { flags })).toMatchObject({ exit: 0 });
    });
    for (const [i, example] of others.entries()) {
      await withAccount(path, `${name}-${i + 1}`, async (session) => {
        expect(await runQuietly(session, example)).toMatchObject({ exit: 0 });
        for (const wrong of [path, `${path} --nonsense`]) await runQuietly(session, wrong);
      });
    }
  },
);

/**
 * Changes the flags of an example so that it is fast: no retries of pings, `--confirm 0` for waits, and a short watch.
 */
function quick(words: string[]): string[] {
  if (words[0] === 'ping' || words[0] === 'exec') return [words[0], '--retry-for', '0', ...words.slice(1)];
  if (words[0] === 'watch' || words[1] === 'watch') return [...words, '--for', '1s'];
  return words[1] === 'wait' ? [...words, '--confirm', '0'] : words;
}
