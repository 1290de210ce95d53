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
    '  - { name: "=tax=1", type: ping, host: localhost }',
    '  - { name: "Sale! Now", type: ping, host: localhost }',
    `  - { name: 'Today''s "$(id)" \\ \`id\`', type: ping, host: localhost }`,
    'channels: [{ key: ops, name: Ops, type: webhook, config: { url: "http://127.0.0.1:1/" } }]',
    'alertRules: [{ key: on-call, name: On call, monitors: [nightly-backup], channels: [ops] }]',
    'statusPages: [{ name: Status, slug: shop }]',
    'maintenance: [{ title: Move, scheduledStart: 2040-01-01T00:00:00Z, scheduledEnd: 2040-01-01T01:00:00Z }]',
  ];
  await session.write('m.yaml', manifest.join('\n'));
  // The monitors are created one by one, because the test expects their names in the order of creation.
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

/**
 * Completes again until there are names. Completion waits only a second for the server, and a busy machine may need
 * longer.
 */
const untilFound = (complete: (...words: string[]) => Promise<string[]>, ...words: string[]) =>
  vi.waitFor(async () => {
    const found = await complete(...words);
    expect(found).not.toEqual([]);
    return found;
  }, 60_000);

test('completion takes commands, flags and the values of flags from the tree of commands', async () => {
  expect(await candidates('mon')).toEqual(['monitors']);
  expect(await candidates('monitors', 'pa')).toEqual(['pause']);
  expect(await candidates('monitors', 'list', '--w')).toContain('--wide');
  expect(await candidates('monitors', 'list', '--prof')).toEqual(['--profile']);
  expect(await candidates('monitors', 'list', '-o', '')).toEqual(['table', 'json', 'yaml']);
  expect(await candidates('keys', 'create', '--scope=a')).toEqual(['--scope=apply']);
  expect(await candidates('test', '--reporter', 'j')).toEqual(['junit', 'json']);
  expect(await candidates('completion', '')).toEqual(['bash', 'zsh', 'fish']);
});

/** A name that would run a command if a shell evaluated it. */
const hostile = 'Today\'s "$(id)" \\ `id`';

test('completion takes names from the server: keys, the names of resources without a key, and slugs; `ping` offers only heartbeats', async () => {
  const all = ['nightly-backup', 'Shop of Ada & Co', 'eu:cart', '=tax=1', 'Sale! Now', hostile];
  expect(await untilFound(candidates, 'monitors', 'get', '')).toEqual(all);
  expect(await untilFound(candidates, 'monitors', 'get', 'Sh')).toEqual(['Shop of Ada & Co']);
  expect(await untilFound(candidates, 'ping', '')).toEqual(['nightly-backup']);
  expect(await untilFound(candidates, 'channels', 'test', '')).toEqual(['ops']);
  expect(await untilFound(candidates, 'pages', 'get', '')).toEqual(['shop']);
  expect(await untilFound(candidates, 'rules', 'get', '')).toEqual(['on-call']);
  expect(await untilFound(candidates, 'maintenance', 'end', '')).toEqual(['Move']);
  expect(await untilFound(candidates, 'monitors', 'history', 'eu:cart', '--region', '')).toEqual(['default']);
  expect(await untilFound(candidates, 'rules', 'create', '--monitor', 'ni')).toEqual(['nightly-backup']);
  expect(await untilFound(candidates, 'rules', 'create', '--monitors', 'x,ni')).toEqual(['x,nightly-backup']);
});

test('the first letters of a name are completed to the name, even if the resource also has a key', async () => {
  expect(await untilFound(candidates, 'monitors', 'get', 'Ba')).toEqual(['Backup']);
  expect(await untilFound(candidates, 'rules', 'get', 'On')).toEqual(['On call']);
  expect(await untilFound(candidates, 'pages', 'get', 'St')).toEqual(['Status']);
  expect(await untilFound(candidates, 'rules', 'create', '--monitors', 'x,Ba')).toEqual(['x,Backup']);
});

test('completion takes the names of profiles from the settings file', async () => {
  await using other = await openSession({ siteUrl: daemon.url, apiKey: '', fetch });
  await other.write('config.json', '{ "profiles": { "home": {}, "work": {} } }');
  const { stdout } = await other.uptime(['--complete', 'monitors', 'list', '--profile=w']);
  expect(stdout).toBe('--profile=work\n');
});

test('completion leaves paths to the shell, and prints nothing for a line without candidates', async () => {
  expect(await candidates('exec', 'nightly-backup', '--', '')).toEqual([':files']);
  expect(await candidates('version', '')).toEqual([]);
  expect(await candidates('no-such-command', 'x', '')).not.toContain(':files');
  expect(await candidates()).toContain('monitors');
});

test('without a key, a server or readable settings, completion prints nothing', async () => {
  await using other = await openSession({ siteUrl: 'http://127.0.0.1:1', apiKey: 'uptime_wrong', fetch });
  const quiet = { exit: 0, stdout: '', stderr: '' };
  expect(await other.uptime(['--complete', 'monitors', 'get', ''])).toEqual(quiet);
  other.env['UPTIME_API_KEY'] = '';
  expect(await other.uptime(['--complete', 'monitors', 'get', ''])).toEqual(quiet);
  await other.write('config.json', 'not JSON');
  expect(await other.uptime(['--complete', 'monitors', 'get', ''])).toEqual(quiet);
});

test('if the server does not answer, completion ends after a second', async () => {
  await using other = await openSession({ siteUrl: 'http://uptime.test', apiKey: 'uptime_slow', fetch });
  const hanging: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  const fromMonoMs = performance.now();
  const ended = await other.uptime(['--complete', 'monitors', 'get', ''], { fetch: hanging });
  expect(ended).toEqual({ exit: 0, stdout: '', stderr: '' });
  expect(performance.now() - fromMonoMs).toBeLessThan(boundMs(3000));
});

test('completion caches names for half a minute, so that the next key press needs no request', async () => {
  await using other = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
  let requestCount = 0;
  const counted: typeof fetch = (input, init) => {
    requestCount++;
    return fetch(input, init);
  };
  const complete = async (typed: string) => {
    const { stdout } = await other.uptime(['--complete', 'monitors', 'get', typed], { fetch: counted });
    return stdout.split('\n').filter(Boolean);
  };
  await untilFound(complete, '');
  requestCount = 0;
  for (const typed of ['n', 'ni']) expect(await complete(typed)).toEqual(['nightly-backup']);
  expect(requestCount).toBe(0);
});

test('bash completes words, quotes names, and completes paths', async () => {
  const uptime = join(session.cwd, 'uptime');
  await writeFile(uptime, `#!/bin/sh\nexec ${[process.execPath, ...testProgram('uptime')].join(' ')} "$@"\n`);
  await chmod(uptime, 0o755);
  const script = join(session.cwd, 'completion.bash');
  await writeFile(script, scripts.bash);
  /** Completes a line that Bash has split into `words`. Bash replaces only the part `last` with the candidate. */
  const completeLine = async (line: string, words: string[], last: string) => {
    const typed = ['uptime', ...words].map(shellWord).join(' ');
    const state = `COMP_WORDS=(${typed}) COMP_CWORD=${words.length} COMP_LINE=${shellWord(`uptime ${line}`)}`;
    const call = `_uptime_complete uptime ${shellWord(last)}; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: `${session.cwd}:/usr/bin:/bin`, HOME: session.cwd, ...session.env };
    const { stdout, stderr } = await execute('bash', ['--norc', '-c', `. ${script}; ${state}; ${call}`], {
      env,
      cwd: session.cwd,
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean);
  };
  const complete = (...words: string[]) =>
    completeLine(words.join(' '), words, (words.at(-1) ?? '').replace(/^["']/, ''));
  expect(await complete('keys', '')).toEqual(['list', 'create', 'delete']);
  expect(await untilFound(complete, 'monitors', 'get', 'Sh')).toEqual(['Shop\\ of\\ Ada\\ \\&\\ Co']);
  expect(await complete('exec', 'x', '--', 'm.y')).toEqual(['m.yaml']);
  expect(await complete('version', '')).toEqual([]);
  // The words arrive as Bash passes them: with escapes, with an open quotation mark, or split at a colon.
  expect(await untilFound(complete, 'monitors', 'get', 'Shop\\ of')).toEqual(['Shop\\ of\\ Ada\\ \\&\\ Co']);
  expect(await untilFound(complete, 'monitors', 'get', '"Shop of')).toEqual(['Shop of Ada & Co']);
  // The completed line always contains the name as text. The shell never runs a part of the name as a command.
  for (const quoted of ['Today', "'Today", '"Today']) {
    const [found = ''] = await untilFound(complete, 'monitors', 'get', quoted);
    const quote = /^['"]/.exec(quoted)?.[0] ?? '';
    const { stdout } = await execute('bash', ['--norc', '-c', `printf '%s' ${quote}${found}${quote}`]);
    expect(stdout).toBe(hostile);
  }
  // Bash splits some names into several words. Completion still finds such a name, and Bash replaces only its last
  // part.
  for (const [line, words, last, expected] of [
    ['eu:ca', ['eu', ':', 'ca'], 'ca', 'cart'],
    ['eu:', ['eu', ':'], '', 'cart'],
    ['e', ['e'], 'e', 'eu:cart'],
    ['=t', ['=', 't'], 't', 'tax=1'],
    ['=tax=', ['=', 'tax', '='], '', '1'],
    ['"=t', ['"=t'], '=t', '=tax=1'],
    ['"Sa', ['"Sa'], 'Sa', `Sale"'!'" Now`],
    [`"Sale"'!'" N`, [`"Sale"'!'" N`], ' N', ' Now'],
  ] as const) {
    const found = () => completeLine(`monitors get ${line}`, ['monitors', 'get', ...words], last);
    expect([line, await untilFound(found)]).toEqual([line, [expected]]);
  }
  const scope = ['keys', 'create', '--scope', '=', 'a'];
  expect(await completeLine('keys create --scope=a', scope, 'a')).toEqual(['apply']);
  expect(await completeLine('apply --file=m.', ['apply', '--file', '=', 'm.'], 'm.')).toEqual(['m.yaml']);
});
