import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

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

/**
 * Bundles the programs. Several workers may do so at once: each renames its folder when it is complete, and the folder
 * that is renamed first is kept.
 */
function bundle(folder: string): void {
  const made = mkdtempSync(join(dirname(folder), 'making-'));
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/build/test-programs.mjs'), made], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The programs for the tests could not be built.\n${stderr}`);
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
