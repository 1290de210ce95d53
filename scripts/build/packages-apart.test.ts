import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { BuildOptions } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { sources } from '../../test/read-sources.ts';
import { bundlePackagesApart, packagesApart } from './packages-apart.ts';

const options: BuildOptions = {
  absWorkingDir: join(import.meta.dirname, '../..'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node26',
  logLevel: 'error',
  external: ['pg-native'],
};

test('each package with its own bundle can be loaded, exports something, and is imported by our code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptime-apart-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const assets = await bundlePackagesApart(options, folder);
  const require = createRequire(import.meta.url);
  const loaded = Object.values(assets).map((file) => {
    const module: { exports: object } = { exports: {} };
    const code = readFileSync(file, 'latin1');
    new Script(code).runInThisContext()(module.exports, require, module);
    return typeof module.exports === 'function' || Object.keys(module.exports).length > 0;
  });
  expect(loaded).toEqual(packagesApart.map(() => true));
  const imported = new Set(sources.flatMap(({ imports }) => imports.map(({ from }) => from)));
  expect(packagesApart.filter((name) => !imported.has(name))).toEqual([]);
});
