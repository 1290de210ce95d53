// Bundles the programs that tests start, because a bundle starts in half the time of the sources. The argument is the
// folder for the bundles.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildTestPrograms } from './program.mjs';
import { root } from '../ready/root.mjs';

const [folder] = process.argv.slice(2);
// The folder is outside of the repository, where Node would not find better-sqlite3. So the bundle has its whole path.
const sqlite = createRequire(join(root, 'packages/daemon/package.json')).resolve('better-sqlite3');
await buildTestPrograms(folder, sqlite);
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
