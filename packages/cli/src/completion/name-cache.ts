import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsDir } from '../settings.ts';

/** How long cached names are used. New resources appear in completion after this time at the latest. */
const keptMs = 30_000;

type Env = Record<string, string | undefined>;

/**
 * Returns the cached names, or null if the cache is missing or older than half a minute. `owner` consists of the
 * server, the API key and the kind of resource. The path of the file contains only a digest of `owner`, so that it does
 * not show the key.
 */
export function readCache(owner: string, env: Env, now: number): string[][] | null {
  const path = pathOf(owner, env);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || Math.abs(now - found.mtimeMs) > keptMs) return null;
  try {
    const names = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    return Array.isArray(names) ? names.map((all) => (Array.isArray(all) ? all.map(String) : [])) : null;
  } catch {
    // The file is damaged, for example after a crash of the machine. The next names from the server replace the file.
    return null;
  }
}

/** Writes names to a file that only the user can read. Throws if the folder cannot be written. */
export function writeCache(owner: string, names: readonly (readonly string[])[], env: Env): void {
  const path = pathOf(owner, env);
  mkdirSync(settingsDir(env), { recursive: true, mode: 0o700 });
  // Another shell may read the file at the same time. So a complete new file replaces the old one.
  writeFileSync(`${path}.new`, JSON.stringify(names), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Returns the path of the cache file. Each server, key and kind of resource has its own file. */
const pathOf = (owner: string, env: Env): string =>
  join(settingsDir(env), `names-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}.json`);
