import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from './commands/index.ts';
import { openSession } from './testing/session.ts';
import { version } from './version.ts';

test('the version is that of the package', () => {
  const { version: packaged } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(version).toBe(packaged);
});

test.each(commands.map(({ path, examples }) => [path, examples] as const))(
  'the examples of %s are command lines that parse',
  async (path, examples) => {
    await using session = await openSession();
    await session.write('monitors.yaml', 'monitors: [{ name: nightly-backup, type: heartbeat }]\n');
    await session.uptime(['apply', '-f', 'monitors.yaml', '--yes']);
    for (const example of examples) {
      const [line = ''] = example.split(/ [<>] /);
      const { exit, stderr } = await session.uptime(line.split(' '), { stdin: session.server.apiKey });
      // `login` without a key wants a terminal: the one example that can't run here.
      if (path === 'login' && !line.includes('--api-key')) expect(stderr).toContain('no terminal to ask on');
      else expect({ line, exit, stderr }).toMatchObject({ exit: 0 });
    }
  },
);

test('no output and no error of any command holds the key', async () => {
  await using session = await openSession();
  await session.write('monitors.yaml', 'monitors: [{ name: nightly-backup, type: heartbeat }]\n');
  for (const { path, examples } of commands) {
    for (const line of [...examples, path, `${path} --verbose`, `${path} --nonsense`]) {
      for (const status of [undefined, 401, 500]) {
        if (status) session.server.failNext({ status, detail: 'It failed.' });
        const words = line.split(/ [<>] /)[0]!.split(' ');
        const { stdout, stderr } = await session.uptime(words, { stdin: session.server.apiKey });
        expect(stdout + stderr).not.toContain(session.server.apiKey);
      }
    }
  }
});
