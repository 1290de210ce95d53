import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * Returns whether node_modules holds the packages of the lock file. Compares the lock file with npm's own record of
 * installed packages. So it accepts an installation that the developer made, and detects an interrupted installation.
 */
export function installed() {
  const wanted = readLock('package-lock.json');
  const present = readLock('node_modules/.package-lock.json');
  if (!wanted || !present) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/') || entry.link) continue;
    const here = present[path];
    if (here ? here.version !== entry.version || here.integrity !== entry.integrity : neededHere(entry)) return false;
    if (here && !existsSync(join(root, path, 'package.json'))) return false;
  }
  return existsSync(join(root, 'node_modules/.bin'));
}

/**
 * Returns whether npm installs a package on this machine. npm skips packages for other platforms, and unneeded peers.
 */
function neededHere(entry) {
  if (!entry.optional) return !entry.peer;
  const fits = (list, value) => list === undefined || [list].flat().includes(value);
  return (
    Boolean(entry.os && entry.cpu) && !entry.libc && fits(entry.os, process.platform) && fits(entry.cpu, process.arch)
  );
}

function readLock(name) {
  try {
    return JSON.parse(readFileSync(join(root, name), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
