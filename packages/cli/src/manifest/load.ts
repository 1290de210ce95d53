import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { CliError } from '../exit.ts';
import { readBytes, type Io } from '../io.ts';
import { ManifestFaults } from './manifest-faults.ts';

/** The text of a manifest, and its file name in messages. */
export interface Source {
  name: string;
  text: string;
}

/** The manifest that commands read if `-f` is not given. */
export const defaultManifest = 'monitors.yaml';

/** The name of standard input in messages. */
const stdin = '<stdin>';

/**
 * Reads the manifests that `-f` names: files, folders (their *.yaml and *.yml files, sorted by name), and `-` for
 * standard input. Throws a CliError that lists every path that cannot be read.
 */
export async function loadSources(paths: readonly string[], cwd: string, io: Pick<Io, 'stdin'>): Promise<Source[]> {
  const sources: Source[] = [];
  const missing: string[] = [];
  const budget = createReadBudget();
  let notUtf8 = 0;
  for (const path of new Set(paths)) {
    try {
      if (path === '-') sources.push({ name: stdin, text: textOf(await readBounded(io.stdin, stdin)) });
      else if (path === '') missing.push('-f is empty: is a variable not set?');
      else {
        const read = await readPath(path, cwd, budget);
        // A user may name a file twice: by its own path and by its folder. The file is read only once.
        sources.push(
          ...read.filter(({ name }) => !sources.some((source) => resolve(cwd, source.name) === resolve(cwd, name))),
        );
      }
    } catch (error) {
      if (error instanceof ManifestFaults) throw error;
      missing.push(reason(path, error as NodeJS.ErrnoException));
      if (error instanceof NotUtf8) notUtf8++;
    }
  }
  if (missing.length > 0) {
    // For a file that is not UTF-8, advice about the name of the file does not help.
    const init = missing.some((line) => line.startsWith(`${defaultManifest}:`))
      ? '; `uptime init` writes a first manifest'
      : '';
    const next = notUtf8 < missing.length ? { next: `name a file, a folder or \`-\` with -f${init}` } : {};
    throw new CliError(missing.join('\n'), { exit: 'usage', ...next });
  }
  return sources;
}

async function readPath(path: string, cwd: string, budget: ReadBudget): Promise<Source[]> {
  const at = resolve(cwd, path);
  if (!(await stat(at)).isDirectory()) return [{ name: path, text: textOf(await readWhole(at, path, budget)) }];
  const found = (await readdir(at)).filter((name) => /\.ya?ml$/.test(name)).toSorted();
  // Reads only regular files. A pipe might never end, for example if no program writes to it.
  const areFiles = await Promise.all(found.map(async (name) => (await stat(join(at, name))).isFile()));
  const names = found.filter((_, index) => areFiles[index]);
  if (names.length === 0) throw new Error('is a folder without *.yaml files');
  return Promise.all(
    names.map(async (name) => ({
      name: join(path, name),
      text: textOf(await readWhole(join(at, name), join(path, name), budget), name),
    })),
  );
}

/** The largest manifest file, in bytes. A monitor needs about 150 bytes, so there is room for more than 50,000. */
const maxBytes = 8 * 1_048_576;

/** Returns a message about the size of a file that is too large; otherwise null. */
export const tooLarge = (bytes: number): string | null =>
  bytes <= maxBytes
    ? null
    : `has ${Math.ceil(bytes / 1_048_576)} MB, but the limit is ${maxBytes / 1_048_576} MB: ${advice}`;

const advice = 'split it, and `include` the parts';

/** Returns the text of a file, or null if the file is not UTF-8. */
export const readText = (bytes: Buffer): string | null => (isUtf8(bytes) ? bytes.toString('utf8') : null);

/** The bytes that are left of `maxTotalBytes`, the limit for all files of one manifest together. */
export interface ReadBudget {
  leftBytes: number;
}

/** The largest manifest, in bytes. It has room for about 200,000 monitors. */
const maxTotalBytes = 32 * 1_048_576;

export const createReadBudget = (): ReadBudget => ({ leftBytes: maxTotalBytes });

/** Subtracts the bytes of a file from the budget. Returns what is wrong if the budget is exceeded; otherwise null. */
export function takeBytes(budget: ReadBudget, bytes: number): string | null {
  budget.leftBytes -= bytes;
  return budget.leftBytes >= 0
    ? null
    : `exceeds the ${maxTotalBytes / 1_048_576} MB that all files of a manifest may have together`;
}

/**
 * Reads a file whose size is within the limits. For a larger file, throws ManifestFaults with the start of the file as
 * the place.
 */
async function readWhole(at: string, name: string, budget: ReadBudget): Promise<Buffer> {
  const { size } = await stat(at);
  const large = tooLarge(size) ?? takeBytes(budget, size);
  if (large !== null) throw faultAtStart(name, large);
  return readBounded(createReadStream(at), name);
}

/** Reads a stream whose size is unknown, such as a pipe. Throws a fault if it has more bytes than the limit. */
async function readBounded(stream: Readable, name: string): Promise<Buffer> {
  const bytes = await readBytes(stream, maxBytes);
  if (bytes.length > maxBytes) throw faultAtStart(name, `exceeds the limit of ${maxBytes / 1_048_576} MB: ${advice}`);
  return bytes;
}

const faultAtStart = (name: string, message: string): ManifestFaults =>
  new ManifestFaults('one fault in the manifest; nothing was changed', [{ file: name, line: 1, column: 1, message }], {
    exit: 'usage',
  });

class NotUtf8 extends Error {}

/**
 * Returns the text of a file. Throws for encodings other than UTF-8, because apply would read other letters than the
 * editor shows.
 */
function textOf(bytes: Buffer, name?: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new NotUtf8(`${name === undefined ? '' : `${name} `}is not UTF-8 text: save it as UTF-8`);
}

function reason(path: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return `${path}: no such file or folder`;
  if (error.code === 'EACCES') return `${path}: no permission to read it`;
  return `${path === '-' ? stdin : path}: ${error.message}`;
}
