import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { importers } from './index.ts';
import { openSource } from './read-source.ts';
import { runImport } from './run-import.ts';

/** Writes these files to a folder `gatus`, and imports the folder. */
async function imported(files: Record<string, string>, kind: keyof typeof importers = 'gatus', from = 'gatus') {
  const cwd = await mkdtemp(join(tmpdir(), 'uptime-gatus-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await mkdir(join(cwd, 'gatus'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, 'gatus', name)), { recursive: true });
    await writeFile(join(cwd, 'gatus', name), text);
  }
  if (from !== 'gatus') await symlink(join(cwd, 'gatus'), join(cwd, from));
  return runImport(importers[kind], await openSource(from, cwd, importers[kind]), 'https://uptime.example.com');
}

const shop = 'endpoints: [{ name: Shop, url: "https://shop.example.com", alerts: [{ type: slack }], ui: {} }]';
const slack = 'alerting: { slack: { webhook-url: "https://hooks.slack.com/services/x" } }';

test('the files in a folder and its subfolders are merged, and a note names the file that it is about', async () => {
  const bank =
    '# The bank\nendpoints:\n  - { name: Bank, url: "tcp://bank.example.com:443", alerts: [{ type: discord }], ui: {} }';
  const { text, notes, placeOf } = await imported({
    'a.yaml': `${shop}\n${slack}`,
    'teams/bank.yml': bank,
    'z.yaml': 'alerting: { discord: { webhook-url: "https://discord.com/api/webhooks/1/x" } }',
    'empty.yaml': '# nothing yet\n',
    'notes.txt': 'not YAML: [',
    // A volume of a Kubernetes ConfigMap contains each file a second time, in a folder `..data`.
    '..data/a.yaml': shop,
  });
  const written = parse(text) as Record<string, { name: string }[]>;
  expect(written['monitors']?.map(({ name }) => name)).toEqual(['Shop', 'Bank']);
  expect(written['channels']).toHaveLength(2);
  expect(notes.filter(({ about }) => about === 'Bank')).not.toEqual([]);
  expect(placeOf('Bank')).toEqual({ line: 3, file: join('gatus', 'teams', 'bank.yml') });
});

test('the import reads a folder that is given as a symbolic link', async () => {
  expect(await imported({ 'a.yaml': shop }, 'gatus', 'link')).toMatchObject({ count: 1 });
});

test.each<[string, Record<string, string>, string]>([
  [
    'different values for one setting in two files',
    { 'a.yaml': `${shop}\n${slack}`, 'b.yaml': slack.replace('/x', '/y') },
    '`alerting.slack.webhook-url`',
  ],
  ['a list in one file and a map in another', { 'a.yaml': shop, 'b.yaml': 'endpoints: { name: Shop }' }, '`endpoints`'],
  ['a file that is not a map', { 'a.yaml': shop, 'b.yaml': '- 1' }, 'b.yaml is not the right kind of file'],
  ['a file that is not YAML', { 'a.yaml': shop, 'b.yaml': 'a: [' }, 'b.yaml is not valid YAML'],
  ['a folder without any endpoint', { 'a.yaml': slack }, 'gatus is not the right kind of file'],
  ['a folder without YAML files', { 'notes.txt': 'x' }, 'gatus has no *.yaml or *.yml files'],
])('for %s, the error names the file or the setting', async (_, files, message) => {
  await expect(imported(files)).rejects.toThrow(message);
});

test('the import refuses a folder whose files are too large together', async () => {
  const large = Object.fromEntries([1, 2].map((i) => [`${i}.yaml`, `# ${'x'.repeat(6 * 1024 * 1024)}\n${shop}`]));
  await expect(imported(large)).rejects.toThrow('gatus is too large');
});

test('the import of another program refuses a folder', async () => {
  await expect(imported({ 'a.yaml': shop }, 'upptime')).rejects.toThrow('gatus is not a file');
});
