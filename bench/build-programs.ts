import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Bundles the programs as in a release. The bundler runs in another process, because its memory and threads would
 * disturb a benchmark.
 */
export function buildPrograms(folder: string): void {
  const script = fileURLToPath(new URL('../scripts/build/test-programs.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [script, folder], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The program could not be built.');
}
