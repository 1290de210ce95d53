import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../ready/root.mjs';

/** Makes `npx uptime`, `uptimectl` and `uptimed` run the program of this clone. */
export function linkProgram() {
  if (process.platform === 'win32') return;
  for (const name of ['uptime', 'uptimectl', 'uptimed']) {
    const path = join(root, 'node_modules/.bin', name);
    // Every `npm install` replaces the link by a link to the build of a package. That build may be older than the
    // program, or missing.
    rmSync(path, { force: true });
    symlinkSync(join(root, 'dist/program/main.js'), path);
  }
}
