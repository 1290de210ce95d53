import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../ready/root.mjs';

/** Lets `npx uptime`, `uptimectl` and `uptimed` lead to the program of this clone. */
export function linkProgram() {
  if (process.platform === 'win32') return;
  for (const name of ['uptime', 'uptimectl', 'uptimed']) {
    const path = join(root, 'node_modules/.bin', name);
    // npm's own link, which each installation makes anew, leads to a package's build: older than this one, or not there.
    rmSync(path, { force: true });
    symlinkSync(join(root, 'dist/program/main.js'), path);
  }
}
