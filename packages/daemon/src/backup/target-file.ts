import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../config/config.ts';
import { shellWord } from '../shell-word.ts';
import { BackupError } from './backup-error.ts';

/** Names of the files that the daemon stores in its data folder. A backup must not replace them. */
const ownFile = /^(uptime\.db(-wal|-shm|-journal)?|daemon\.lock(-journal)?|secret\.key|instance\.id|certificates)$/;

export interface Target {
  dataDir: string;
  file: string;
  force: boolean;
}

/** Throws if the backup must not be written to this file. */
export async function expectFreeTarget({ dataDir, file, force }: Target): Promise<void> {
  const folder = await folderOf(file);
  if (folder === (await realpath(dataDir)) && ownFile.test(basename(file)))
    throw new ConfigError(`${file} is a file of the daemon. Choose another name for the backup.`);
  const found = await stat(file).catch(unlessMissing);
  if (found === null) return;
  if (found.isDirectory())
    throw new ConfigError(`${file} is a folder. Name a file in it, such as ${shellWord(join(file, 'uptime.db'))}.`);
  if (!found.isFile()) throw new ConfigError(`${file} is not a regular file. Name a file on a disk for the backup.`);
  if (!force)
    throw new BackupError(`${file} exists already. Choose another name, or replace the file with \`--force\`.`);
}

async function folderOf(file: string): Promise<string> {
  const folder = dirname(file);
  const found = await realpath(folder).catch(unlessMissing);
  if (found === null)
    throw new ConfigError(`The folder ${folder} does not exist. Create it: \`mkdir -p ${shellWord(folder)}\`.`);
  return found;
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw new BackupError(error.message, { cause: error });
}
