import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { ownerFault } from './file-owners.ts';
import { shellWord } from './shell-word.ts';

/** The error if another process uses the data folder. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse';
}

export interface DataDir {
  /** The secret that signs cookies and encrypts stored secrets, generated at the first start. */
  secretKey: string;
  /**
   * A random name of this folder, generated at the first start. This name distinguishes daemons that share one
   * PostgreSQL.
   */
  instance: string;
  /** Releases the folder for the next process. */
  release: () => void;
}

/**
 * Locks the data folder for this process. Throws DataDirInUse if another process has locked the folder. Works
 * synchronously, because the start can do nothing else until the folder is locked. The lock is an exclusive transaction
 * on an empty SQLite file. The system releases the lock when the process ends, even after a kill.
 */
export function takeDataDir(dataDir: string, nativeBinding?: string): DataDir {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = `The data folder ${dataDir} cannot be written (${code})`;
    throw new Error(`${why}: choose another one with --data-dir or UPTIME_DATA_DIR.`, { cause: error });
  }
  const fault = ownerFault(dataDir);
  if (fault !== null) throw new Error(fault);
  const path = join(dataDir, 'daemon.lock');
  // Sets the file's mode before SQLite opens the file, because SQLite gives its journal the same mode.
  keepToOwner(path);
  const lock = lockFile(path, nativeBinding);
  if (lock === null)
    throw new DataDirInUse(`Another uptimed is using ${dataDir}: stop it, or choose another folder with --data-dir.`);
  try {
    return {
      secretKey: keptRandom(join(dataDir, 'secret.key'), 32),
      instance: keptRandom(join(dataDir, 'instance.id'), 8),
      release: () => lock.close(),
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Whether another process has locked the data folder. Creates no file. */
export function isDataDirInUse(dataDir: string): boolean {
  const path = join(dataDir, 'daemon.lock');
  if (!existsSync(path)) return false;
  const lock = lockFile(path);
  lock?.close();
  return lock === null;
}

/** Locks the file until it is closed. Returns null if another process has locked it. */
function lockFile(path: string, nativeBinding?: string): Database.Database | null {
  const lock = new Database(path, { timeout: 0, ...(nativeBinding && { nativeBinding }) });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    return null;
  }
}

/** The `instance` of a folder, read without a lock. */
export const readInstance = (dataDir: string): string => keptRandom(join(dataDir, 'instance.id'), 8);

/**
 * Describes what is wrong with the mode of an existing data folder. Null if only the owner may use the folder. The mode
 * is never changed, because other users may need the folder.
 */
export function dataDirFault(dataDir: string): string | null {
  const { mode } = statSync(dataDir);
  if ((mode & 0o077) === 0) return null;
  const octal = (mode & 0o7777).toString(8).padStart(4, '0');
  return `The data folder is open to other users (mode ${octal}). If only this daemon uses it, run \`chmod 700 ${shellWord(dataDir)}\`. Otherwise choose another folder with --data-dir.`;
}

/** Creates a folder and its parents. Node's recursive mkdir hangs on a file system that refuses folders. */
function makeFolder(path: string): void {
  const above = dirname(path);
  try {
    makeOne(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    makeFolder(above);
    makeOne(path);
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Creates the file if it is missing, and lets only its owner read it. */
function keepToOwner(path: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the random hex text in a file. If the file has none, generates the text and writes it to the file. Only the
 * folder's owner can read the file.
 */
function keptRandom(path: string, bytes: number): string {
  try {
    const kept = readFileSync(path, 'utf8').trim();
    if (kept.length >= bytes) {
      chmodSync(path, 0o600);
      return kept;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = randomBytes(bytes).toString('hex');
  // If the file already exists with an incomplete text, other users may be able to read it. So its mode is set before
  // the text is written.
  keepToOwner(path);
  writeFileSync(path, `${made}\n`);
  return made;
}
