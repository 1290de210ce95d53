import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type BuildOptions } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { helpTexts } from '../../packages/cli/src/stored-help/help-texts.ts';
import { version } from '../../packages/cli/src/version.ts';
import { startApart } from './start-apart.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptime-start-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'empty.js'), '');
  // This bundles only the start of the CLI. In place of the commands it loads a `main.js` that only prints a text.
  const options: BuildOptions = {
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: ['x-source'],
    logLevel: 'error',
  };
  await build({
    ...options,
    entryPoints: [join(folder, 'empty.js')],
    outdir: join(folder, 'dist'),
    plugins: [startApart],
  });
  await writeFile(join(folder, 'dist/main.js'), `export const main = async () => console.log('the whole program');`);
});
afterAll(() => rm(folder, { recursive: true }));

const start = async (...words: string[]) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, 'dist/uptime.js'), ...words]);
  expect(stderr).toBe('');
  return stdout;
};

test('the first file of the CLI prints the version and the help of commands without the whole program', async () => {
  const texts = helpTexts();
  expect(await start('--version')).toBe(`${version}\n`);
  expect(await start('monitors', 'list', '--help')).toBe(texts['monitors list']);
  expect(await start('help')).toBe(texts['']);
});

test('the first file of the CLI loads the whole program if it has no stored text for a command line', async () => {
  for (const words of [['help', 'manifest'], ['monitors', 'get', 'shop', '--help'], ['ls']])
    expect(await start(...words)).toBe('the whole program\n');
});
