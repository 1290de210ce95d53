import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { type FileHandle, open, readFile, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Processes } from '../context.ts';
import { CliError } from '../exit.ts';
import { unfinishedName } from '../manifest/unfinished-name.ts';
import { plain } from '../output.ts';
import { removeUnfinished } from './remove-unfinished.ts';

/** A file of the manifest, with its text before and after a pull. */
export interface EditedFile {
  /** The name of the file in messages, relative to the folder of the command. */
  name: string;
  before: string | undefined;
  after: string;
}

/** A file whose new text is already in a temporary file beside it. */
interface Staged {
  name: string;
  path: string;
  staged: string;
}

/**
 * Replaces several files together. It first writes all new texts to temporary files, and renames these when all are
 * complete. So each file always has its complete old text or its complete new text. If a rename fails, throws a
 * CliError that says which files were replaced.
 */
export async function writeFiles(files: readonly EditedFile[], cwd: string, processes: Processes): Promise<void> {
  const staged: Staged[] = [];
  try {
    const names = files.map(({ name }) => name);
    await removeUnfinished(names, cwd, processes.isRunning);
    for (const file of files) {
      // If the file is a symbolic link, this replaces the target of the link.
      const path = await realpath(resolve(cwd, file.name));
      await refuseChanged(file, path);
      const stagedPath = join(dirname(path), unfinishedName(basename(path), { pid: processes.own, id: randomUUID() }));
      staged.push({ name: file.name, path, staged: stagedPath });
      await stage(stagedPath, file.after, path);
    }
    // An editor may have saved a file while the temporary files were written.
    for (const [index, file] of files.entries()) await refuseChanged(file, staged[index]!.path);
  } catch (error) {
    await removeStaged(staged);
    if (error instanceof CliError) throw error;
    throw new CliError(`the manifest cannot be written: ${(error as Error).message}; no file was changed`, {
      next: 'make the files and their folders writable, and run `uptime pull` again',
      cause: error,
    });
  }
  await renameAll(staged);
}

/** Throws a CliError if a file has changed since it was read, because a pull must not overwrite that change. */
async function refuseChanged({ name, before }: EditedFile, path: string): Promise<void> {
  if ((await readFile(path, 'utf8')) === before) return;
  throw new CliError(`${plain(name)} has changed since the pull read it; no file was written`, {
    next: 'run `uptime pull` again',
  });
}

/** Writes a temporary file to the disk. It gets the mode of the file that it will replace. */
async function stage(stagedPath: string, text: string, path: string): Promise<void> {
  await using replaced = await open(path, 'r');
  await using file = await open(stagedPath, 'wx', 0o600);
  await file.writeFile(text);
  await keepOwner(file, replaced);
  await file.sync();
}

async function keepOwner(file: FileHandle, replaced: FileHandle): Promise<void> {
  const [own, other] = [await file.stat(), await replaced.stat()];
  if (own.uid !== other.uid || own.gid !== other.gid) {
    try {
      await file.chown(other.uid, other.gid);
    } catch (error) {
      // Only root can give a file to another user. For other users, the file then belongs to the person who pulls, as
      // after a save in most editors.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    }
  }
  await file.chmod(other.mode & 0o7777);
}

/** Renames all files directly after each other, so that a kill hardly ever comes between two of them. */
async function renameAll(staged: readonly Staged[]): Promise<void> {
  let renamed = 0;
  try {
    for (const { staged: stagedPath, path } of staged) {
      renameSync(stagedPath, path);
      renamed++;
    }
  } catch (error) {
    const unrenamed = staged.slice(renamed);
    await removeStaged(unrenamed);
    const names = (some: readonly Staged[]) => some.map(({ name }) => plain(name)).join(', ');
    const state =
      renamed === 0
        ? 'no file was changed'
        : `replaced: ${names(staged.slice(0, renamed))}; unchanged: ${names(unrenamed)}`;
    throw new CliError(`${plain(unrenamed[0]!.name)} cannot be replaced: ${(error as Error).message}; ${state}`, {
      exit: renamed === 0 ? 'failed' : 'partial',
      next: 'make its folder writable, and run `uptime pull` again to replace the other files',
      cause: error,
    });
  }
}

const removeStaged = async (staged: readonly Staged[]): Promise<void> => {
  for (const { staged: stagedPath } of staged) await rm(stagedPath, { force: true });
};
