import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createTestDaemon } from '../../../daemon/src/testing/test-daemon.ts';
import { testProgram } from '../../../daemon/src/testing/test-program.ts';
import { openSession } from '../testing/session.ts';
import { scripts } from './scripts.ts';

const execute = promisify(execFile);

/** Creates a folder with the program and the completion scripts, and starts a server with two monitors. */
async function open() {
  const daemon = await createTestDaemon();
  const session = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
  const items = '[{ name: "Shop: EU", type: heartbeat }, { name: Bank, type: heartbeat }]';
  await session.write('m.yaml', `monitors: ${items}\n`);
  expect(await session.uptime(['apply', '-f', 'm.yaml', '--yes'])).toMatchObject({ exit: 0 });
  const uptime = join(session.cwd, 'uptime');
  await writeFile(uptime, `#!/bin/sh\nexec ${[process.execPath, ...testProgram('uptime')].join(' ')} "$@"\n`);
  await chmod(uptime, 0o755);
  for (const [shell, script] of Object.entries(scripts)) await session.write(`completion.${shell}`, script);
  const env = { PATH: `${session.cwd}:/usr/bin:/bin`, HOME: session.cwd, ...session.env };
  return {
    run: async (shell: string, line: string) => {
      const { stdout } = await execute(shell, ['-c', line], { env, cwd: session.cwd });
      return stdout.split('\n').filter(Boolean);
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await daemon.close();
    },
  };
}

test('fish completes commands, names and escaped names', { timeout: 60_000 }, async () => {
  await using it = await open();
  const complete = (typed: string) => it.run('fish', `source completion.fish; complete -C '${typed}'`);
  expect(await complete('uptime completion ')).toEqual(['bash', 'fish', 'zsh']);
  expect(await complete('uptime monitors get Sh')).toEqual(['Shop: EU']);
  expect(await complete(String.raw`uptime monitors get Shop:\\ E`)).toHaveLength(1);
  expect(await complete('uptime keys create --scope=a')).toEqual(['--scope=apply']);
  expect(await complete('uptime apply -f m.y')).toEqual(['m.yaml']);
  expect(await complete('uptime apply --file=m.y')).toEqual(['--file=m.yaml']);
});

test('zsh completes commands, names and escaped names', { timeout: 60_000 }, async () => {
  await using it = await open();
  const complete = (...words: string[]) => {
    const typed = ['uptime', ...words].map((word) => `'${word}'`).join(' ');
    const stubs = 'compdef() { : }; compadd() { shift; print -l -- "$@" }';
    return it.run(
      'zsh',
      `${stubs}; . ./completion.zsh; words=(${typed}) CURRENT=${words.length + 1} PREFIX='${words.at(-1)}'; _uptime_complete`,
    );
  };
  expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  expect(await complete('monitors', 'get', 'Sh')).toEqual(['Shop: EU']);
  expect(await complete('monitors', 'get', String.raw`Shop:\ E`)).toEqual(['Shop: EU']);
  expect(await complete('keys', 'create', '--scope=a')).toEqual(['--scope=apply']);
});
