import { readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writerOf } from '../manifest/unfinished-name.ts';

/**
 * Removes the temporary files that killed pulls left in the folders of these files. A pull that still runs keeps its
 * files. Call this only before a write to these folders, because it throws the system's error if that is not allowed.
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
