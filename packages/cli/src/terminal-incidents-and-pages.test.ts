import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../daemon/src/testing/test-daemon.ts';
import { openAccount } from './testing/account.ts';
import type { Session, SessionServer } from './testing/session.ts';
import { runInTerminal } from './testing/terminal.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

/** Opens a session for a project with two monitors, a status page and an incident. */
async function open(name: string): Promise<Session<SessionServer>> {
  const session = await openAccount(daemon, name);
  await session.write(
    'monitors.yaml',
    [
      'monitors:',
      '  - { key: shop, name: Shop, type: heartbeat }',
      '  - { key: backup, name: Backup, type: heartbeat }',
      `statusPages: [{ key: status, name: Status, slug: ${name}, monitors: [shop] }]`,
    ].join('\n'),
  );
  // The monitors are created one by one, because the questions list them in the order of creation.
  const applied = await session.uptime(['apply', '-f', 'monitors.yaml', '--yes', '--concurrency', '1']);
  expect(applied).toMatchObject({ exit: 0 });
  expect(await session.uptime(['incidents', 'create', '--title', 'Slow'])).toMatchObject({ exit: 0 });
  return session;
}

test('incidents create asks for title, message and monitors, and lists the status pages', async () => {
  await using session = await open('pty-incident');
  const run = runInTerminal(['incidents', 'create'], session);
  await run.shows('Title, as readers of your status pages will see it:');
  run.type('\r');
  await run.shows('must be 1 to 200 visible characters');
  run.type('Checkout is slow\r');
  await run.shows('What do you know so far?');
  run.type('We are on it.\r');
  await run.shows('Which monitors does the incident affect?');
  run.type(' \r');
  await run.shows('The incident will be public on:');
  await run.shows(`Status  ${daemon.url}/status/pty-incident`);
  await run.shows('Publish it?');
  run.type('\r');
  const { exit, screen } = await run.ended;
  expect(exit).toBe(0);
  expect(screen).toMatch(/title: +Checkout is slow\nstatus: +investigating\nmonitors: +shop\n/);
  expect(screen).toContain('We are on it.');
});

test('an incident is created only after a confirmation, and a message says if no status page shows it', async () => {
  await using session = await open('pty-incident-no');
  const run = runInTerminal(['incidents', 'create', '--title', 'Late', '--monitors', 'backup'], session);
  await run.shows('What do you know so far?');
  run.type('\r');
  await run.shows('No status page shows these monitors');
  await run.shows('Create it?');
  run.type('n\r');
  const { exit, screen } = await run.ended;
  expect(exit).toBe(1);
  expect(screen).toContain('error: not confirmed; no incident was created');
  const { stdout } = await session.uptime(['incidents', 'list', '-o', 'json']);
  expect(stdout).not.toContain('Late');
});

test('`pages open` finds a page by its slug', async () => {
  await using session = await open('pty-slug');
  expect(await session.uptime(['pages', 'open', 'pty-slug'])).toMatchObject({
    exit: 0,
    stdout: `${daemon.url}/status/pty-slug\n`,
  });
  expect((await session.uptime(['pages', 'list'])).stdout).toMatch(/^NAME +SLUG .*\nStatus +pty-slug /);
  expect((await session.uptime(['pages', 'open', 'pty-slog'])).stderr).toContain('did you mean "pty-slug"?');
});

test('pages create asks for name and slug, and offers a list of monitors', async () => {
  await using session = await open('pty-page');
  const run = runInTerminal(['pages', 'create'], session);
  await run.shows('Display name');
  run.type('Everything\r');
  await run.shows('Last segment of the public address');
  run.type('Everything\r');
  await run.shows('must be 1 to 63 characters from a-z 0-9 -');
  run.type('\u0015pty-everything\r');
  await run.shows('Which monitors does the page show?');
  run.type('a\r');
  const { exit, screen } = await run.ended;
  expect(exit).toBe(0);
  expect(screen).toContain(`${daemon.url}/status/pty-everything`);
  expect(screen).toMatch(/monitors: +shop, backup$/);
});

test.each([
  [['pages', 'delete', 'status'], 'Deleted status page "Status"'],
  [['incidents', 'delete', 'Slow'], 'Deleted incident "Slow"'],
])('the command %j asks for a confirmation before it deletes', async (words, done) => {
  await using session = await open(`pty-${words.join('-').toLowerCase()}`);
  const refused = runInTerminal(words, session);
  await refused.shows('(y/N)');
  refused.type('n\r');
  expect(await refused.ended).toMatchObject({ exit: 1 });
  const run = runInTerminal(words, session);
  await run.shows('(y/N)');
  run.type('y\r');
  const { exit, screen } = await run.ended;
  expect(exit).toBe(0);
  expect(screen).toContain(done);
});

test('`pages open` opens the page in the browser, and prints the address if there is no browser', async () => {
  await using session = await open('pty-open');
  const address = `${daemon.url}/status/pty-open`;
  const browser = join(session.cwd, 'browser');
  await session.write('browser', '#!/bin/sh\necho "$@" > opened\n');
  await chmod(browser, 0o755);
  const env = { ...session.env, BROWSER: browser };
  expect(await runInTerminal(['pages', 'open', 'status'], { ...session, env }).ended).toMatchObject({
    exit: 0,
    screen: address,
  });
  await vi.waitFor(
    async () => expect(await readFile(join(session.cwd, 'opened'), 'utf8')).toBe(`${address}\n`),
    10_000,
  );
  const missing = { ...session.env, BROWSER: 'no-such-browser' };
  const { exit, screen } = await runInTerminal(['pages', 'open', 'status'], { ...session, env: missing }).ended;
  expect(exit).toBe(0);
  expect(screen).toBe(
    `${address}\nThe browser did not open (no-such-browser: ENOENT): the page is at the address above.`,
  );
});

test('a command under `maintenance run` gets the Ctrl-C of the terminal only once, and the maintenance window is closed', async () => {
  await using session = await open('pty-run');
  const job =
    "trap 'count=$((count+1)); echo signalled $count' INT; echo ready; while [ ! -e stop ]; do sleep 0.05; done; exit 9";
  const words = ['maintenance', 'run', '--monitors', 'shop', '--max', '15m', '--', 'sh', '-c', job];
  const run = runInTerminal(words, session);
  await run.shows('ready');
  run.type('\u0003');
  await run.shows('signalled 1');
  await session.write('stop', '');
  const { exit, screen } = await run.ended;
  expect(exit).toBe(9);
  expect(screen).not.toContain('signalled 2');
  expect(await session.uptime(['maintenance', 'list', '-q'])).toMatchObject({ stdout: '' });
});

test('on a terminal, lists colour the status of open incidents and of maintenance windows that are in force', async () => {
  await using session = await open('pty-tables');
  await session.uptime(['maintenance', 'start', '--monitors', 'shop', '--for', '1h']);
  expect((await runInTerminal(['incidents', 'list'], session).ended).sent).toContain('\u001b[31minvestigating');
  expect((await runInTerminal(['maintenance', 'list'], session).ended).sent).toContain('\u001b[33min force');
});

test('on 80 columns, the updates of an incident are broken between words, and have relative times', async () => {
  await using session = await open('pty-incident-long');
  const message = 'We are looking into it together with our payment provider, and will tell more within the hour.';
  await session.uptime(['incidents', 'create', '--title', 'Late', '--message', message]);
  const { screen } = await runInTerminal(['incidents', 'get', 'Late'], session, { columns: 80 }).ended;
  expect(screen).toMatch(
    /\n(?:now|\d+ s ago) \(\S+Z\): investigating\n {2}We are looking .* tell more\n {2}within the hour\.$/,
  );
});
