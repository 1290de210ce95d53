import { rename, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../deps.ts';
import { BackupError } from './backup-error.ts';
import { checkCopy } from './check-copy.ts';
import { copyInSteps } from './copy-in-steps.ts';
import { megabytes } from './megabytes.ts';
import { expectFreeTarget } from './target-file.ts';
import { createUnfinished } from './unfinished-file.ts';

export interface BackupOptions {
  dataDir: string;
  /** The file to write. */
  file: string;
  /** Whether the backup may replace an existing file. */
  force: boolean;
  clock: Pick<Clock, 'monotonicMs'>;
  print: (line: string) => void;
  /** Called after each step with the copied share, from 0 to 1. */
  onProgress: (share: number) => void;
  /** If the signal is aborted, the backup stops and throws the signal's reason. */
  stopping: AbortSignal;
  /** Returns the free bytes on the disk of a folder. Tests replace it. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/**
 * Writes a checked copy of the database. Returns the size of the file in bytes. The file gets its final name only when
 * it is complete and on disk. If the backup fails, no file is left. Throws ConfigError for an unsuitable file, and
 * BackupError if the copy fails.
 */
export async function writeBackup(from: string, options: BackupOptions): Promise<number> {
  const { file, clock, print, onProgress, stopping, freeBytes = freeOnDisk } = options;
  const folder = dirname(file);
  await expectFreeTarget(options);
  try {
    const unfinished = await createUnfinished(file);
    try {
      const pages = await copyInSteps({
        from,
        to: unfinished.path,
        clock,
        sync: () => unfinished.sync(),
        warn: print,
        expectRoom: async (bytes) => expectRoom(folder, bytes, await freeBytes(folder)),
        onStep(share) {
          stopping.throwIfAborted();
          onProgress(share);
        },
      });
      checkCopy(unfinished.path, pages);
      unfinished.sync();
      stopping.throwIfAborted();
      await expectFreeTarget(options);
      if (!unfinished.isInPlace())
        throw new BackupError(`${unfinished.path} was removed or replaced during the backup. Run the backup again.`);
      await rename(unfinished.path, file);
    } finally {
      await unfinished.dispose();
    }
    return (await stat(file)).size;
  } catch (error) {
    throw stopping.aborted ? stopping.reason : inWords(error, file);
  }
}

async function freeOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Throws BackupError if the disk has too little room. A backup that fills the disk would stop a daemon whose database
 * is on the same disk.
 */
function expectRoom(folder: string, bytes: number, free: number): void {
  if (free >= bytes) return;
  throw new BackupError(
    `The backup needs ${megabytes(bytes)}, but the disk of ${folder} has only ${megabytes(free)} free. Choose a file on another disk.`,
  );
}

function inWords(error: unknown, file: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  // An error without a code is a BackupError, whose message is already right, or a bug in this program.
  if (code === undefined) return error;
  const why =
    code === 'SQLITE_FULL' || code === 'ENOSPC'
      ? `the disk of ${dirname(file)} is full. Make room, or choose a file on another disk`
      : code.startsWith('SQLITE_')
        ? `${message} (${code})`
        : message;
  return new BackupError(`The backup ${file} could not be written: ${why}.`, { cause: error });
}
