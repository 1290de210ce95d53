import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { ownerFault } from './file-owners.ts';
import { shellWord } from './shell-word.ts';

/** Another daemon serves from the folder. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse';
}

export interface DataDir {
  /** The secret that signs cookies, made on the first start. */
  secretKey: string;
  /** Gives the folder to whoever comes next. */
  release: () => void;
}

/**
 * Takes the data folder for this process; throws DataDirInUse when another has it. The lock is one that the system
 * takes back when the process ends, however it ends: an exclusive transaction on an empty SQLite file.
 */
export async function takeDataDir(dataDir: string, nativeBinding?: string): Promise<DataDir> {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = `The data folder ${dataDir} cannot be written (${code})`;
    throw new Error(`${why}: choose another by --data-dir or UPTIME_DATA_DIR.`, { cause: error });
  }
  const fault = await ownerFault(dataDir);
  if (fault !== null) throw new Error(fault);
  const path = join(dataDir, 'daemon.lock');
  // Before SQLite comes: it gives its journal the mode that the file has then.
  await keepToOwner(path);
  const lock = new Database(path, { timeout: 0, ...(nativeBinding && { nativeBinding }) });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new DataDirInUse(`Another uptimed is serving from ${dataDir}: stop it, or choose another --data-dir.`);
  }
  try {
    return { secretKey: await secretKey(join(dataDir, 'secret.key')), release: () => lock.close() };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * What is wrong with the mode of a data folder that was there before: null where none but its owner may enter, read or
 * write it. It is not changed, for it may be a folder that others need.
 */
export async function dataDirFault(dataDir: string): Promise<string | null> {
  const { mode } = await stat(dataDir);
  if ((mode & 0o077) === 0) return null;
  const octal = (mode & 0o7777).toString(8).padStart(4, '0');
  return `The data folder is open to others, with mode ${octal}: \`chmod 700 ${shellWord(dataDir)}\` if it is this daemon's alone, else choose another by --data-dir.`;
}

/** Makes a folder and those above it. Node's own recursive mkdir spins for ever where a file system takes no folders. */
async function makeFolder(path: string): Promise<void> {
  const above = dirname(path);
  try {
    await makeOne(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    await makeFolder(above);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Makes the file if it is not there, and takes it from all but its owner. */
async function keepToOwner(path: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.chmod(0o600);
  } finally {
    await file.close();
  }
}

async function secretKey(path: string): Promise<string> {
  try {
    const kept = (await readFile(path, 'utf8')).trim();
    if (kept.length >= 32) {
      await chmod(path, 0o600);
      return kept;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = randomBytes(32).toString('hex');
  // One that is there, too short to be a secret, may be open to others.
  await keepToOwner(path);
  await writeFile(path, `${made}\n`);
  return made;
}
