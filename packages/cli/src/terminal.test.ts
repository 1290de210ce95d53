import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpTarget } from '../../daemon/src/testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../../daemon/src/testing/test-daemon.ts';
import { openAccount, testPassword } from './testing/account.ts';
import { openFaultProxy } from './testing/fault-proxy.ts';
import { runInTerminal } from './testing/terminal.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

const green = '\u001b[32m';
const manifest = 'monitors: [{ key: backup, name: Backup, type: heartbeat }]\n';

/** Replaces parts of the output that differ from run to run, such as times. */
const settled = (text: string) =>
  text
    .replaceAll(daemon.url, '<site>')
    .replaceAll(/\/ping\/\w+/g, '/ping/<token>')
    .replaceAll(/(mon|prj)_[0-9A-Z]{26}/g, '$1_<id>')
    .replaceAll(/uptime_…\w{4}/g, '<masked key>');

test('apply shows its plan in colours, asks for a confirmation, and shows a progress line', async () => {
  await using session = await openAccount(daemon, 'pty-apply');
  await session.write('monitors.yaml', manifest);
  const run = runInTerminal(['apply', '-f', 'monitors.yaml'], session);
  await run.shows('Apply this change? (y/N)');
  run.type('y\r');
  const { exit, screen, sent } = await run.ended;
  expect(exit).toBe(0);
  expect(settled(screen)).toBe(`+ create heartbeat "Backup" (backup)
Plan: 1 to create, 0 unchanged.
warning: monitors.yaml:1:12: no alert rule watches "Backup": no one is notified when it goes down
  add these monitors to a rule under \`alertRules\`, or type \`uptime rules create\`
✔ Apply this change? Yes
Applied: 1 changed, 0 unchanged.

HEARTBEAT  PING ADDRESS
Backup     <site>/ping/<token>`);
  expect(sent).toContain(green);
  expect(sent).toContain('applying: 0 of 1 made');
});

test('on a terminal of unknown width, apply prints a line for each change', async () => {
  await using session = await openAccount(daemon, 'pty-narrow');
  await session.write('monitors.yaml', manifest);
  const run = runInTerminal(['apply', '-f', 'monitors.yaml'], session, { reportsWidth: false });
  await run.shows('Apply this change? (y/N)');
  run.type('y\r');
  const { exit, screen } = await run.ended;
  expect(exit).toBe(0);
  expect(screen).toContain('created heartbeat "Backup" (backup)\nApplied: 1 changed, 0 unchanged.');
});

test('apply changes nothing if the user does not confirm the plan, and NO_COLOR turns colours off', async () => {
  await using session = await openAccount(daemon, 'pty-refused');
  await session.write('monitors.yaml', manifest);
  const env = { ...session.env, NO_COLOR: '1' };
  const run = runInTerminal(['apply', '-f', 'monitors.yaml'], { env, cwd: session.cwd });
  await run.shows('Apply this change? (y/N)');
  run.type('\r');
  const { exit, screen, sent } = await run.ended;
  expect(exit).toBe(1);
  expect(screen.split('\n').at(-1)).toBe('error: not confirmed; nothing was changed');
  expect(sent).not.toContain(green);
  expect(await session.uptime(['monitors', 'list', '-q'])).toMatchObject({ stdout: '' });
});

test('Ctrl-C at a question ends the program with the exit code 130', async () => {
  await using session = await openAccount(daemon, 'pty-left');
  await session.write('monitors.yaml', manifest);
  const run = runInTerminal(['apply', '-f', 'monitors.yaml'], session);
  await run.shows('Apply this change? (y/N)');
  run.type('\u0003');
  expect(await run.ended).toMatchObject({ exit: 130 });
});

test('an apply that fails half-way reports which changes were made', async () => {
  await using session = await openAccount(daemon, 'pty-halfway');
  const jobs = ['first', 'second', 'third'].map((name) => `  - { name: ${name}, type: heartbeat }\n`);
  await session.write('monitors.yaml', `monitors:\n${jobs.join('')}`);
  await using proxy = await openFaultProxy(daemon.url);
  // The requests for the lists and for the usage succeed, and so does the first change. All later requests fail.
  proxy.break('answer-500', 5, true);
  const env = { ...session.env, UPTIME_SITE_URL: proxy.url, UPTIME_API_KEY: session.server.apiKey };
  const words = ['apply', '-f', 'monitors.yaml', '--yes', '--concurrency', '1'];
  const { exit, screen } = await runInTerminal(words, { env, cwd: session.cwd }).ended;
  expect(exit).toBe(3);
  expect(screen).toContain(`
created heartbeat "first"
error: monitors.yaml:3:5: create heartbeat "second": It failed. (HTTP 500)`);
  expect(screen)
    .toContain(`1 of 3 changes were made; 1 may have been made: the server did not confirm that; 1 was not started.
  Apply again to continue.`);
});

test('login asks for the kind of login, address, password and project, and hides the password', async () => {
  const user = await daemon.another('pty-login');
  await daemon.request('POST', '/api/projects', { name: 'second' }, { cookie: user.cookie });
  await using session = await openAccount(daemon, 'pty-login-folder');
  await session.uptime(['logout']);
  const run = runInTerminal(['login'], session);
  await run.shows('Log in with');
  run.type('\r');
  await run.shows('E-mail address of your account');
  run.type(`${user.email}\r`);
  await run.shows('Password of');
  run.type(`${testPassword}\r`);
  await run.shows('Project to work on');
  run.type('\u001b[B\r');
  const { exit, screen, sent } = await run.ended;
  expect(exit).toBe(0);
  expect(settled(screen)).toBe(
    `✔ Log in with e-mail and password
✔ E-mail address of your account on <site> pty-login@example.com
✔ Password of pty-login@example.com *************
Logged in to <site> as pty-login@example.com (profile default).
Commands now use project second.`.replace('Logged', '✔ Project to work on second\nLogged'),
  );
  expect(sent).not.toContain(testPassword);
});

test('login by key asks for the key, and hides what the user types', async () => {
  await using session = await openAccount(daemon, 'pty-key');
  await session.uptime(['logout']);
  const run = runInTerminal(['login'], session);
  await run.shows('Log in with');
  run.type('\u001b[B\r');
  // The list of choices before this question has similar text, but not the address of the server.
  await run.shows('API key of a project on');
  run.type(`${session.server.apiKey}\r`);
  const { exit, screen, sent } = await run.ended;
  expect(exit).toBe(0);
  expect(settled(screen).split('\n').at(-1)).toBe(
    'Logged in to project shop on <site> with <masked key> (profile default).',
  );
  expect(sent).not.toContain(session.server.apiKey);
});

test('init asks for the required fields of a monitor, and repeats a question after an invalid answer', async () => {
  await using session = await openAccount(daemon, 'pty-init');
  const run = runInTerminal(['init'], session);
  await run.shows('What should the monitor check?');
  run.type('\r');
  await run.shows('Display name');
  run.type('Shop\r');
  await run.shows('Full URL to request');
  run.type('shop\r');
  await run.shows('must be a full http:// or https:// address');
  run.type('\u0015https://shop.example/\r');
  await run.shows('Seconds between checks');
  run.type('\r');
  const { exit, screen } = await run.ended;
  expect(exit).toBe(0);
  expect(screen.split('\n').at(-3)).toBe('Wrote monitors.yaml.');
  const [first, ...rest] = (await readFile(join(session.cwd, 'monitors.yaml'), 'utf8')).split('\n');
  expect(first).toMatch(/^# yaml-language-server: \$schema=http:.*\/schema\/monitors\.schema\.json$/);
  expect(rest.join('\n')).toBe('monitors:\n  - name: Shop\n    type: http\n    url: https://shop.example/\n');
});

test.each([
  [['monitors', 'delete', 'backup'], 'Deleted heartbeat "Backup"'],
  [['projects', 'delete', 'shop'], 'Deleted project shop.'],
  [['projects', 'regenerate-key', 'shop'], 'updatedAt:'],
])('the command %j asks for a confirmation before it changes anything', async (words, done) => {
  await using session = await openAccount(daemon, `pty-${words.join('-')}`);
  await session.write('monitors.yaml', manifest);
  await session.uptime(['apply', '-f', 'monitors.yaml', '--yes']);
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

test('statuses are coloured in lists, in doctor, and in the result of a check', async () => {
  await using target = await httpTarget();
  await using session = await openAccount(daemon, 'pty-colours');
  await session.uptime(['monitors', 'create', '--name', 'S', '--type', 'http', '--url', target.url]);
  const { sent } = await runInTerminal(['monitors', 'check', 'S'], session).ended;
  expect(sent).toContain(`${green}up`);
  const listed = await runInTerminal(['monitors', 'list'], session).ended;
  expect(listed.sent).toContain(`${green}up`);
  expect((await runInTerminal(['doctor'], session).ended).sent).toContain(`${green}ok`);
});

test('a job under exec gets the Ctrl-C of the terminal only once', async () => {
  await using session = await openAccount(daemon, 'pty-exec');
  await session.write('monitors.yaml', manifest);
  await session.uptime(['apply', '-f', 'monitors.yaml', '--yes']);
  const job =
    "trap 'count=$((count+1)); echo signalled $count' INT; echo ready; while [ ! -e stop ]; do sleep 0.05; done; exit 9";
  const run = runInTerminal(['exec', 'backup', '--', 'sh', '-c', job], session);
  await run.shows('ready');
  run.type('\u0003');
  await run.shows('signalled 1');
  await session.write('stop', '');
  const { exit, screen } = await run.ended;
  expect(exit).toBe(9);
  expect(screen).not.toContain('signalled 2');
});

test('channels create asks for missing fields, and hides secrets', async () => {
  await using session = await openAccount(daemon, 'pty-channel');
  const run = runInTerminal(['channels', 'create', '--name', 'Ops'], session);
  await run.shows('Type of channel');
  run.type('slack');
  await run.shows('❯ slack');
  run.type('\r');
  await run.shows('Address that the provider gave you');
  run.type('hush\r');
  await run.shows('must be a full http:// or https:// address');
  run.type('\u0015https://hooks.example.com/hush-hush\r');
  const { exit, screen, sent } = await run.ended;
  expect(exit).toBe(0);
  expect(screen).toContain('webhookUrl: https://hooks.example.com/••••hush');
  expect(sent).not.toContain('hush-hush');
});

test('rules create shows lists of monitors and channels to choose from', async () => {
  await using session = await openAccount(daemon, 'pty-rule');
  await session.write(
    'monitors.yaml',
    `${manifest}channels: [{ key: ops, name: Ops, type: email, config: { address: ops@example.com } }]\n`,
  );
  await session.uptime(['apply', '-f', 'monitors.yaml', '--yes']);
  const run = runInTerminal(['rules', 'create', '--consecutive-failures', '2'], session);
  await run.shows('Display name');
  run.type('Backups\r');
  await run.shows('Which monitors does the rule watch?');
  run.type(' \r');
  await run.shows('Which channels does the rule notify?');
  run.type(' \r');
  const { exit, screen } = await run.ended;
  expect(exit).toBe(0);
  expect(screen).toMatch(/monitors: +backup\nchannels: +ops$/);
});
