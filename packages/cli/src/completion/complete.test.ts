import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../daemon/src/testing/test-daemon.ts';
import { testProgram } from '../../../daemon/src/testing/test-program.ts';
import { openSession, type Session, type SessionServer } from '../testing/session.ts';
import { scripts } from './scripts.ts';
import { boundMs } from '../../../daemon/src/testing/bound-ms.ts';

const execute = promisify(execFile);
const shellWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

let daemon: TestDaemon;
let session: Session<SessionServer>;
beforeAll(async () => {
  daemon = await createTestDaemon();
  session = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
  const manifest = [
    'monitors:',
    '  - { key: nightly-backup, name: Backup, type: heartbeat }',
    '  - { name: "Shop of Ada & Co", type: tcp, host: localhost, port: 1 }',
    '  - { name: "eu:cart", type: ping, host: localhost }',
    `  - { name: 'Today''s "$(id)" \\ \`id\`', type: ping, host: localhost }`,
    'channels: [{ key: ops, name: Ops, type: webhook, config: { url: "http://127.0.0.1:1/" } }]',
    'statusPages: [{ name: Status, slug: shop }]',
  ];
  await session.write('m.yaml', manifest.join('\n'));
  // They are created one by one, because the names come in the order of their creation.
  const applied = await session.uptime(['apply', '-f', 'm.yaml', '--yes', '--concurrency', '1']);
  expect(applied).toMatchObject({ exit: 0 });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await daemon.close();
});

const candidates = async (...words: string[]): Promise<string[]> => {
  const { exit, stdout, stderr } = await session.uptime(['--complete', ...words]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout.split('\n').filter(Boolean);
};

/** A shell waits a second for names, and a busy machine may need longer. So this asks again until there are some. */
const patiently = (complete: (...words: string[]) => Promise<string[]>, ...words: string[]) =>
  vi.waitFor(async () => {
    const found = await complete(...words);
    expect(found).not.toEqual([]);
    return found;
  }, 60_000);

test('commands, flags and the values of flags come from the tree of commands', async () => {
  expect(await candidates('mon')).toEqual(['monitors']);
  expect(await candidates('monitors', 'pa')).toEqual(['pause']);
  expect(await candidates('monitors', 'list', '--w')).toContain('--wide');
  expect(await candidates('monitors', 'list', '--prof')).toEqual(['--profile']);
  expect(await candidates('monitors', 'list', '-o', '')).toEqual(['table', 'json', 'yaml']);
  expect(await candidates('keys', 'create', '--scope', '=', 'a')).toEqual(['apply']);
  expect(await candidates('completion', '')).toEqual(['bash', 'zsh', 'fish']);
});

/** A name that would run a command if a shell read it. */
const hostile = 'Today\'s "$(id)" \\ `id`';

test('names come from the server: keys, names without a key, slugs, and only heartbeats for a ping', async () => {
  const all = ['nightly-backup', 'Shop of Ada & Co', 'eu:cart', hostile];
  expect(await patiently(candidates, 'monitors', 'get', '')).toEqual(all);
  expect(await patiently(candidates, 'monitors', 'get', 'Sh')).toEqual(['Shop of Ada & Co']);
  expect(await patiently(candidates, 'ping', '')).toEqual(['nightly-backup']);
  expect(await patiently(candidates, 'channels', 'test', '')).toEqual(['ops']);
  expect(await patiently(candidates, 'pages', 'get', '')).toEqual(['shop']);
  expect(await patiently(candidates, 'rules', 'create', '--monitor', 'ni')).toEqual(['nightly-backup']);
  expect(await patiently(candidates, 'rules', 'create', '--monitors', 'x,ni')).toEqual(['x,nightly-backup']);
});

test('paths are left to the shell, and a line without candidates gets none', async () => {
  expect(await candidates('exec', 'nightly-backup', '--', '')).toEqual([':files']);
  expect(await candidates('version', '')).toEqual([]);
  expect(await candidates('no-such-command', 'x', '')).not.toContain(':files');
  expect(await candidates()).toContain('monitors');
});

test('without a key, a server or readable settings, completion is silent', async () => {
  await using other = await openSession({ siteUrl: 'http://127.0.0.1:1', apiKey: 'uptime_wrong', fetch });
  const quiet = { exit: 0, stdout: '', stderr: '' };
  expect(await other.uptime(['--complete', 'monitors', 'get', ''])).toEqual(quiet);
  other.env['UPTIME_API_KEY'] = '';
  expect(await other.uptime(['--complete', 'monitors', 'get', ''])).toEqual(quiet);
  await other.write('config.json', 'not JSON');
  expect(await other.uptime(['--complete', 'monitors', 'get', ''])).toEqual(quiet);
});

test('a server that does not answer holds the shell for a second at most', async () => {
  await using other = await openSession({ siteUrl: 'http://uptime.test', apiKey: 'uptime_slow', fetch });
  const hanging: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  const from = performance.now();
  const ended = await other.uptime(['--complete', 'monitors', 'get', ''], { fetch: hanging });
  expect(ended).toEqual({ exit: 0, stdout: '', stderr: '' });
  expect(performance.now() - from).toBeLessThan(boundMs(3000));
});

test('names are cached for a moment, so that the next key press needs no request', async () => {
  await using other = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
  let asked = 0;
  const counted: typeof fetch = (input, init) => {
    asked++;
    return fetch(input, init);
  };
  const complete = async (typed: string) => {
    const { stdout } = await other.uptime(['--complete', 'monitors', 'get', typed], { fetch: counted });
    return stdout.split('\n').filter(Boolean);
  };
  await patiently(complete, '');
  asked = 0;
  for (const typed of ['n', 'ni']) expect(await complete(typed)).toEqual(['nightly-backup']);
  expect(asked).toBe(0);
});

test('bash completes words, quotes names, and completes paths', async () => {
  const uptime = join(session.cwd, 'uptime');
  await writeFile(uptime, `#!/bin/sh\nexec ${[process.execPath, ...testProgram('uptime')].join(' ')} "$@"\n`);
  await chmod(uptime, 0o755);
  const script = join(session.cwd, 'completion.bash');
  await writeFile(script, scripts.bash);
  const complete = async (...words: string[]) => {
    const typed = words.map(shellWord).join(' ');
    const line = `. ${script}; COMP_WORDS=(uptime ${typed}); COMP_CWORD=${words.length}; _uptime_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: `${session.cwd}:/usr/bin:/bin`, HOME: session.cwd, ...session.env };
    const { stdout, stderr } = await execute('bash', ['--norc', '-c', line], { env, cwd: session.cwd });
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean);
  };
  expect(await complete('keys', '')).toEqual(['list', 'create', 'delete']);
  expect(await patiently(complete, 'monitors', 'get', 'Sh')).toEqual(['Shop\\ of\\ Ada\\ \\&\\ Co']);
  expect(await complete('exec', 'x', '--', 'm.y')).toEqual(['m.yaml']);
  expect(await complete('version', '')).toEqual([]);
  // Words as Bash has them: escaped, with an open quotation mark, and split at a colon.
  expect(await patiently(complete, 'monitors', 'get', 'Shop\\ of')).toEqual(['Shop\\ of\\ Ada\\ \\&\\ Co']);
  expect(await patiently(complete, 'monitors', 'get', '"Shop of')).toEqual(['Shop of Ada & Co']);
  // What stands on the line then is always the name, and never a command.
  for (const quoted of ['Today', "'Today", '"Today']) {
    const [found = ''] = await patiently(complete, 'monitors', 'get', quoted);
    const quote = /^['"]/.exec(quoted)?.[0] ?? '';
    const { stdout } = await execute('bash', ['--norc', '-c', `printf '%s' ${quote}${found}${quote}`]);
    expect(stdout).toBe(hostile);
  }
  expect(await patiently(complete, 'monitors', 'get', 'eu', ':', 'ca')).toEqual(['cart']);
  expect(await patiently(complete, 'monitors', 'get', 'eu', ':')).toEqual(['cart']);
  expect(await patiently(complete, 'monitors', 'get', 'e')).toEqual(['eu:cart']);
});
