import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

export interface CommandName {
  /** How the command line is called from here. */
  uptime: string;
  /** What to type once before that: the single executable is the command line only where it is called so. */
  link: string | undefined;
}

/** For the single executable at `executable`; null in a clone, where npx knows the command line. */
export function commandName(executable: string | null, cwd: string): CommandName {
  if (executable === null) return { uptime: 'npx uptime', link: undefined };
  const path = relative(cwd, join(dirname(executable), 'uptime'));
  return {
    uptime: path.includes(sep) ? path : `./${path}`,
    link: existsSync(join(cwd, path)) ? undefined : `ln -s ${basename(executable)} ${path}`,
  };
}
