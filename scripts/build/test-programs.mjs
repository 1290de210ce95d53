// Bundles the programs that tests start, because a bundle starts in half the time of the sources. The argument is the
// folder for the bundles, which is missing or empty. If several workers of a run need the bundles at once, the first
// worker makes them, and the other workers wait.
import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { alone } from '../ready/alone.mjs';
import { root } from '../ready/root.mjs';

const [folder] = process.argv.slice(2);
await alone('test-programs', async () => {
  if (existsSync(join(folder, 'package.json'))) return;
  const { buildTestPrograms } = await import('./program.mjs');
  // The folder is outside of the repository. Programs in it would not find better-sqlite3 by its name, so the bundle
  // contains the whole path of that package.
  const sqlite = createRequire(join(root, 'packages/daemon/package.json')).resolve('better-sqlite3');
  const made = mkdtempSync(join(dirname(folder), 'making-'));
  await buildTestPrograms(made, sqlite);
  writeFileSync(join(made, 'package.json'), '{ "type": "module" }\n');
  renameSync(made, folder);
});
