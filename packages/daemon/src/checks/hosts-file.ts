import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { codeOf } from './failure.ts';
import type { Clock } from '../deps.ts';

export interface Address {
  address: string;
  family: 4 | 6;
}

/**
 * Returns the addresses of a name in the machine's hosts file. If the file does not have the name, returns an empty
 * list, or the loopback addresses for localhost and names under it.
 */
export type HostsFile = (name: string) => readonly Address[];

/** The path of this machine's hosts file. */
export const systemHostsPath = (): string =>
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

/**
 * Returns a function that looks names up in the hosts file, which c-ares' resolve4 ignores. The function looks for
 * changes of the file at most once a second, and reads the file again after a change.
 */
export function createHostsFile(clock: Clock, path: string): HostsFile {
  let entries = new Map<string, Address[]>();
  let lookedMonoMs = -Infinity;
  let seen = Number.NaN;
  return (name) => {
    const nowMonoMs = clock.monotonicMs();
    if (nowMonoMs - lookedMonoMs >= 1000) {
      lookedMonoMs = nowMonoMs;
      const changed = modified(path);
      if (changed !== seen) {
        entries = changed === 0 ? new Map() : parseHosts(readFileSync(path, 'utf8'));
        seen = changed;
      }
    }
    const found = entries.get(name);
    if (found) return found;
    return name === 'localhost' || name.endsWith('.localhost') ? loopback : [];
  };
}

/** The addresses of localhost and of names under it, unless the hosts file has other addresses (RFC 6761). */
const loopback: readonly Address[] = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
];

export function parseHosts(text: string): Map<string, Address[]> {
  const entries = new Map<string, Address[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address ?? '');
    if (!address || (family !== 4 && family !== 6)) continue;
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, '');
      entries.set(key, [...(entries.get(key) ?? []), { address, family }]);
    }
  }
  return entries;
}

/** Returns when the file was last changed; 0 if it is missing or may not be read. */
function modified(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(codeOf(error))) return 0;
    throw error;
  }
}
