import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { arch, platform as platformOf } from 'node:os';
import { pipeline } from 'node:stream/promises';

/** The files that clients download from this daemon, so that their CLI and SDK have the same version as the daemon. */
export interface Downloads {
  /** Returns a small file, or null if this build has none. */
  file(name: DownloadName): Promise<Download | null>;
  /** Returns this program if it runs from the single executable; null otherwise. */
  executable(): Promise<Executable | null>;
}

export const downloadTypes = {
  'cli.tgz': 'application/gzip',
  'sdk.tgz': 'application/gzip',
  'uptime.mjs': 'text/javascript; charset=utf-8',
  'monitors.schema.json': 'application/schema+json; charset=utf-8',
} as const;

export type DownloadName = keyof typeof downloadTypes;

export interface Download {
  bytes: Buffer;
  sha256: string;
}

export interface Executable {
  path: string;
  size: number;
  sha256: string;
  /** The platform of the executable as `uname -sm` prints it, such as `Linux x86_64`. */
  platform: string;
}

/** Creates the downloads. Each file is read once, when the first client asks for it. */
export function createDownloads(
  readFile: (name: DownloadName) => Promise<Buffer | null>,
  programPath: string | null,
): Downloads {
  const files = new Map<DownloadName, Promise<Download | null>>();
  let executable: Promise<Executable> | undefined;
  return {
    file(name) {
      const known = files.get(name);
      if (known) return known;
      const read = readFile(name).then((bytes) => bytes && { bytes, sha256: sha256Of(bytes) });
      files.set(name, read);
      // A failed read is forgotten, so that the next request reads the file again.
      read.catch(() => files.delete(name));
      return read;
    },
    async executable() {
      const platform = unameOf(platformOf(), arch());
      if (programPath === null || platform === null) return null;
      executable ??= describe(programPath, platform);
      executable.catch(() => (executable = undefined));
      return executable;
    },
  };
}

/** Describes the executable, with its checksum. The file has about 100 MB, so it is hashed in pieces. */
async function describe(path: string, platform: string): Promise<Executable> {
  const hash = createHash('sha256');
  const { size } = await stat(path);
  await pipeline(createReadStream(path), hash);
  return { path, size, sha256: hash.digest('hex'), platform };
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Returns what `uname -sm` prints on a platform; null for a platform that no executable is built for. */
export function unameOf(platform: string, arch: string): string | null {
  if (platform === 'linux' && arch === 'x64') return 'Linux x86_64';
  if (platform === 'linux' && arch === 'arm64') return 'Linux aarch64';
  if (platform === 'darwin' && arch === 'arm64') return 'Darwin arm64';
  return null;
}
