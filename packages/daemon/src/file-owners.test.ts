import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeDataDir } from './data-dir.ts';

/**
 * Root may use every file. So if root runs the test, the folder belongs to `nobody`, and `takeDataDir` runs as
 * `nobody`.
 */
const isRoot = process.geteuid?.() === 0;
const nobody = 65534;

let above: string;
let folder: string;
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'uptime-owner-'));
  await chmod(above, 0o755);
  folder = join(above, 'data');
  await mkdir(folder, { mode: 0o700 });
  if (isRoot) await chown(folder, nobody, nobody);
});
afterEach(() => rm(above, { recursive: true, force: true }));

function takenAsItsUser(): string {
  if (isRoot) process.seteuid?.(nobody);
  try {
    const { release } = takeDataDir(folder);
    release();
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test.each([['uptime.db'], ['secret.key'], ['instance.id'], ['daemon.lock'], ['certificates/status.example.pem']])(
  'if a restored backup gave %s to another user, the start fails, and the error has the command that corrects this',
  async (name) => {
    expect(takenAsItsUser()).toBe('taken');
    const path = join(folder, name);
    if (name.includes('/')) await mkdir(join(folder, 'certificates'), { mode: 0o755 });
    await rm(path, { force: true });
    await writeFile(path, 'restored');
    await chmod(path, isRoot ? 0o600 : 0o000);
    // If root runs the test, the file belongs to root. Otherwise the file belongs to the user of the test, who may not
    // read it.
    expect(takenAsItsUser()).toBe(
      isRoot
        ? `${path} belongs to another user (uid 0), so uptimed cannot use it. ` +
            `Give it to the folder's owner: \`sudo chown -R ${nobody}:${nobody} ${folder}\`.`
        : `uptimed may not read and write ${path}. Allow it: \`chmod -R u+rwX ${folder}\`.`,
    );
    if (isRoot) await chown(path, nobody, nobody);
    else await chmod(path, 0o600);
    if (name !== 'daemon.lock') expect(takenAsItsUser()).toBe('taken');
  },
);
