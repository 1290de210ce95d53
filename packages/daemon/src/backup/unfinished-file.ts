import { closeSync, fdatasyncSync, fstatSync, openSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { shellWord } from '../shell-word.ts';
import { BackupError } from './backup-error.ts';

/** Suffixes of the files that SQLite creates beside a database. These files stay only if the process is killed. */
const suffixes = ['-journal', '-wal', '-shm'];

/** The file that contains a backup until the backup is complete. Only its owner can read it. */
export interface UnfinishedFile {
  path: string;
  /** Syncs the file to disk. */
  sync(): void;
  /** Whether the file at `path` is still this file. If not, another program has removed or replaced it. */
  isInPlace(): boolean;
  /** Closes the file, and removes it if it is still at `path`. */
  dispose(): Promise<void>;
}

/**
 * Creates `<file>.part`. If a killed backup left a file with this name, removes that file first. Throws BackupError if
 * another backup is still writing `<file>.part`.
 */
export async function createUnfinished(file: string): Promise<UnfinishedFile> {
  const path = `${file}.part`;
  if (statSync(path, { throwIfNoEntry: false })) await removeLeftOver(path);
  // The file stays open until `dispose`, because closing it would release SQLite's locks on the file.
  const descriptor = openSync(path, 'wx', 0o600);
  const isInPlace = () => statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino;
  return {
    path,
    sync: () => fdatasyncSync(descriptor),
    isInPlace,
    async dispose() {
      if (isInPlace()) await remove(path);
      closeSync(descriptor);
    },
  };
}

async function removeLeftOver(path: string): Promise<void> {
  const left = new Database(path, { timeout: 0 });
  try {
    left.exec('begin exclusive');
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY')
      throw new BackupError(`Another backup is writing ${path}. Wait for its end, or choose another file.`);
    throw new BackupError(`${path} exists, but no backup wrote it. Remove it: \`rm ${shellWord(path)}\`.`, {
      cause: error,
    });
  } finally {
    left.close();
  }
  await remove(path);
}

async function remove(path: string): Promise<void> {
  for (const suffix of ['', ...suffixes]) await rm(`${path}${suffix}`, { force: true });
}
