import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../exit.ts';
import { plain } from '../output.ts';
import { withoutMarks } from './env-reference.ts';
import type { ImportSource } from './importer.ts';

/** The largest text file of an import, in bytes. Configurations are far smaller. */
const mostBytes = 10 * 1024 * 1024;

/** Opens the file of an import. Throws a CliError if there is none. */
export async function openSource(file: string, cwd: string): Promise<ImportSource> {
  const path = resolve(cwd, file);
  const name = plain(file);
  const about = await statOf(path, name);
  if (!about.isFile())
    throw new CliError(`${name} is not a file`, { exit: 'usage', next: 'name a file, not a folder' });
  return {
    name,
    path,
    async text() {
      if (about.size > mostBytes) {
        throw new CliError(`${name} is too large: expected at most ${mostBytes / 1024 / 1024} MB of text`, {
          exit: 'usage',
        });
      }
      const bytes = await readFile(path);
      if (isUtf8(bytes) && !bytes.includes(0)) return withoutMarks(bytes.toString('utf8').replace(/^\ufeff/, ''));
      throw new CliError(`${name} is not UTF-8 text`, {
        exit: 'usage',
        next: '`uptime import --help` lists the kinds of files',
      });
    },
  };
}

async function statOf(path: string, name: string) {
  try {
    return await stat(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(`${name}: ${code === 'ENOENT' ? 'no such file' : message}`, { exit: 'usage', cause: error });
  }
}
