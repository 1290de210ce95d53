import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../ready/root.mjs';

const folders = ['packages/sdk', 'packages/daemon', 'packages/cli', 'bin', 'scripts/build', 'examples/quickstart'];
const files = ['package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];

/**
 * Returns a hash of the content of all files that a build reads. A git checkout that changes only the times of files
 * does not change the hash, so nothing is built.
 */
export function sourcesHash() {
  const hash = createHash('sha256').update(process.version);
  for (const name of [...files, ...folders.flatMap(filesUnder)].toSorted((a, b) => (a < b ? -1 : 1))) {
    hash.update(`\0${name}\0`).update(readFileSync(join(root, name)));
  }
  return hash.digest('hex');
}

function filesUnder(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'test', 'testing'].includes(entry.name) ? [] : filesUnder(name);
    return entry.name.endsWith('.test.ts') || entry.name.endsWith('.md') || entry.name.endsWith('.tgz') ? [] : [name];
  });
}
