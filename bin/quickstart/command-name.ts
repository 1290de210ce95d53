import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';

/** How the command line is called from here: beside the single executable, or by npx in a clone. */
export function commandName(): string {
  if (!isSea()) return 'npx uptime';
  // The executable is the command line when it is called so; where it has only one name, give it the other.
  return existsSync(join(dirname(process.execPath), 'uptime')) ? './uptime' : 'ln -s uptimed uptime; ./uptime';
}
