import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../../..');
const sources = {
  main: 'bin/main.ts',
  uptimed: 'packages/daemon/src/bin.ts',
  uptime: 'packages/cli/src/bin.ts',
  faulty: 'test/faults/faulty-daemon.ts',
};

/**
 * Returns the arguments with which Node starts a program of this repository. In a test run, the program is a bundle
 * that the first caller makes, because a bundle starts in half the time. Elsewhere, Node runs the sources.
 */
export function testProgram(name: keyof typeof sources): string[] {
  const { TEST_PROGRAMS: folder } = process.env;
  if (folder === undefined) return ['--conditions=x-source', join(root, sources[name])];
  if (!existsSync(folder)) bundle(folder);
  return [join(folder, `${name}.js`)];
}

function bundle(folder: string): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/build/test-programs.mjs'), folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The programs for the tests could not be built.\n${stderr}`);
}
