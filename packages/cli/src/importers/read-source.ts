import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliError } from '../exit.ts';
import { plain } from '../output.ts';
import { withoutMarks } from './env-reference.ts';
import type { Importer, ImportFile, ImportSource } from './importer.ts';

/** The largest text file that can be imported, in bytes. Real configurations are far smaller. */
const maxBytes = 10 * 1024 * 1024;

/** The maximum number of files in an imported folder. The limit `maxBytes` holds for all of them together. */
const maxFiles = 1000;

/**
 * Opens the file to import, or the folder if `folders` allows one. Throws a CliError if neither exists, or if the
 * folder contains no YAML files.
 */
export async function openSource(
  file: string,
  cwd: string,
  { folders }: Pick<Importer, 'folders'> = {},
): Promise<ImportSource> {
  const path = resolve(cwd, file);
  const name = plain(file);
  const about = await statOf(path, name);
  if (about.isFile()) return openFile(name, path, about.size);
  if (!about.isDirectory() || !folders)
    throw new CliError(`${name} is not a file`, { exit: 'usage', next: 'name a file, not a folder' });
  const files = await filesOf(name, path);
  const text = () => Promise.reject(new Error('a folder has no text'));
  return { name, path, text, files };
}

function openFile(name: string, path: string, size: number): ImportFile {
  return {
    name,
    path,
    async text() {
      if (size > maxBytes) throw tooLarge(name);
      const bytes = await readFile(path);
      if (isUtf8(bytes) && !bytes.includes(0)) return withoutMarks(bytes.toString('utf8').replace(/^\ufeff/, ''));
      throw new CliError(`${name} is not UTF-8 text`, {
        exit: 'usage',
        next: '`uptime import --help` lists the kinds of files',
      });
    },
  };
}

const tooLarge = (name: string) =>
  new CliError(`${name} is too large: expected at most ${maxBytes / 1024 / 1024} MB of text`, { exit: 'usage' });

/**
 * Opens the YAML files of a folder and its subfolders. Skips names like `..data`, because a Kubernetes volume contains
 * each file a second time in such a folder.
 */
async function filesOf(name: string, path: string): Promise<ImportFile[]> {
  const entries = await readdir(path, { recursive: true });
  const paths = entries.filter((one) => /\.ya?ml$/.test(one) && !/(^|[\\/])\.\./.test(one)).toSorted();
  if (paths.length > maxFiles)
    throw new CliError(`${name} has more than ${maxFiles} YAML files`, {
      exit: 'usage',
      next: 'name a smaller folder',
    });
  let total = 0;
  const files: ImportFile[] = [];
  for (const one of paths) {
    const shown = join(name, plain(one));
    const about = await statOf(join(path, one), shown);
    if (!about.isFile()) continue;
    total += about.size;
    if (total > maxBytes) throw tooLarge(name);
    files.push(openFile(shown, join(path, one), about.size));
  }
  if (files.length > 0) return files;
  throw new CliError(`${name} has no *.yaml or *.yml files`, { exit: 'usage' });
}

async function statOf(path: string, name: string) {
  try {
    return await stat(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(`${name}: ${code === 'ENOENT' ? 'no such file' : message}`, { exit: 'usage', cause: error });
  }
}
