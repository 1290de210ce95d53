import { expect, test } from 'vitest';
import { commands } from './commands/index.ts';
import { shells } from './completion/scripts.ts';
import { openSession } from './testing/session.ts';

test('a program that was started as uptimectl uses that name in its messages', async () => {
  await using session = await openSession();
  const say = async (...words: string[]) => {
    const { stdout, stderr } = await session.uptime(words, { program: 'uptimectl' });
    return stdout + stderr;
  };
  expect(await say('monitors', 'list')).toContain('`uptimectl init`');
  expect(await say('monitors', 'get', 'nobody')).toContain('`uptimectl monitors list`');
  expect(await say('--help')).toMatch(/^Usage: uptimectl /);
  expect(await say('exec', 'x', '--retry-for', '0', '--', 'no-such-program')).toContain('uptimectl: no-such-program');
  const topics = ['manifest', 'exit-codes', 'environment'];
  const pages = [
    ...topics.map((topic) => ['help', topic]),
    ...shells.map((shell) => ['completion', shell]),
    ...commands.map(({ path }) => [...path.split(' '), '--help']),
  ];
  const outputs = await Promise.all([['--help'], ...pages].map((words) => say(...words)));
  const lines = outputs.join('\n').split('\n');
  expect(lines.filter((line) => /(?:^|[`$] |: |[`(])uptime (?!monitoring)/.test(line))).toEqual([]);
});
