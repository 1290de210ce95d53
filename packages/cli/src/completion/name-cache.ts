import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsDir } from '../settings.ts';

/** How long names are kept. New resources appear after this time. */
const keptMs = 30_000;

type Env = Record<string, string | undefined>;

/**
 * Returns names that were stored a moment ago; null if there are none. `owner` holds the API key, so only the digest of
 * `owner` is used.
 */
export function readCache(owner: string, env: Env, now: number): string[][] | null {
  const path = pathOf(owner, env);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || Math.abs(now - found.mtimeMs) > keptMs) return null;
  try {
    const names = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    return Array.isArray(names) ? names.map((all) => (Array.isArray(all) ? all.map(String) : [])) : null;
  } catch {
    // The file is damaged, for example after a crash of the machine. The names that are read next replace it.
    return null;
  }
}

/** Stores names, readable only by the user. Throws if the folder cannot be written. */
export function writeCache(owner: string, names: readonly (readonly string[])[], env: Env): void {
  const path = pathOf(owner, env);
  mkdirSync(settingsDir(env), { recursive: true, mode: 0o700 });
  // Another shell may read at the same time. So a complete new file takes the place of the old one.
  writeFileSync(`${path}.new`, JSON.stringify(names), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** One file for each server, key and kind of resource. */
const pathOf = (owner: string, env: Env): string =>
  join(settingsDir(env), `names-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}.json`);
