import { readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writerOf } from '../manifest/unfinished-name.ts';

/**
 * Removes the temporary files that killed pulls left in the folders of `files`. A pull that is still running keeps its
 * temporary files. Throws the system's error if a temporary file cannot be removed. So call it before you change
 * `files`.
 */
export async function removeUnfinished(
  files: readonly string[],
  cwd: string,
  isRunning: (pid: number) => boolean,
): Promise<void> {
  const folders = new Set<string>();
  for (const file of files) folders.add(dirname(await realpath(resolve(cwd, file))));
  for (const folder of folders) {
    for (const name of await readdir(folder)) {
      const pid = writerOf(name);
      if (pid !== null && !isRunning(pid)) await rm(join(folder, name), { force: true });
    }
  }
}
