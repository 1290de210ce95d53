import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorSecrets, type SecretPart } from '@uptime/sdk/contract';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { key, typingContext } from '../../testing/typing-context.ts';
import { askFields } from './ask-fields.ts';
import { init } from './init.ts';

test('a body that was given as - is read from standard input', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-init-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'monitors.yaml');
  const words = `init --file ${file} --name Shop --type http --url https://shop.example --method POST --body -`;
  const { exit, stderr } = await runCommand([init], words.split(' '), { stdin: '{"query":"all"}\n' });
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  expect(await readFile(file, 'utf8')).toContain('{"query":"all"}');
});

test('a required secret of a monitor is hidden while the user types', async () => {
  const marks = monitorSecrets as Record<string, Record<string, SecretPart>>;
  const { context, screen } = typingContext([
    ['Host name', `hunter2${key.enter}`],
    ['econds', key.enter],
  ]);
  const given = marks['ping']!;
  // No type has a required secret yet, so this test marks the host as one.
  marks['ping'] = { host: 'whole' };
  try {
    expect(await askFields({ type: 'ping', name: 'Router' }, context)).toMatchObject({ host: 'hunter2' });
  } finally {
    marks['ping'] = given;
  }
  expect(screen()).not.toContain('hunter2');
});
