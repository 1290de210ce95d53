import { closeSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from './shell-word.ts';

/** The names of the files in the data folder that `ownerFault` examines. */
const kept = /^(uptime\.db|uptime\.db-(wal|shm|journal)|daemon\.lock|secret\.key|instance\.id|certificates)$/;

/**
 * Explains why the user of this process cannot use the data folder's files, with the command that corrects this. Null
 * if the user can use them. The usual cause is a backup that root restored.
 */
export function ownerFault(dataDir: string): string | null {
  const folder = statSync(dataDir);
  for (const path of filesIn(dataDir)) {
    const found = lstatSync(path);
    if (isUsable(path, found.isDirectory())) continue;
    // This user may use the folder. So the owner of the folder is right, and the owner of the file is wrong.
    if (found.uid !== folder.uid) {
      return (
        `${path} belongs to another user (uid ${found.uid}), so uptimed cannot use it. ` +
        `Give it to the folder's owner: \`sudo chown -R ${folder.uid}:${folder.gid} ${shellWord(dataDir)}\`.`
      );
    }
    return `uptimed may not read and write ${path}. Allow it: \`chmod -R u+rwX ${shellWord(dataDir)}\`.`;
  }
  return null;
}

function filesIn(dataDir: string): string[] {
  const names = readdirSync(dataDir).filter((name) => kept.test(name));
  const certificates = join(dataDir, 'certificates');
  const inner = names.includes('certificates') && isUsable(certificates, true) ? readdirSync(certificates) : [];
  return [...names.map((name) => join(dataDir, name)), ...inner.map((name) => join(certificates, name))];
}

function isUsable(path: string, isFolder: boolean): boolean {
  try {
    if (isFolder) readdirSync(path);
    else closeSync(openSync(path, 'r+'));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
    throw error;
  }
}
