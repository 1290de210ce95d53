import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface CommandName {
  /** How the command line is called from here. */
  uptime: string;
  /** What to type once before that: the single executable is the command line only where it is called so. */
  link: string | undefined;
}

/** For the single executable at `executable`; null in a clone, where npx knows the command line. */
export function commandName(executable: string | null, cwd: string): CommandName {
  if (executable === null) return { uptime: 'npx uptime', link: undefined };
  const beside = dirname(executable);
  const known = [join(cwd, 'uptime'), join(beside, 'uptimectl'), join(beside, 'uptime')].find((path) =>
    isSame(path, executable),
  );
  if (known) return { uptime: typed(known, cwd), link: undefined };
  // In this folder, where it needs no rights, and hides no other program of that name.
  const name = existsSync(join(cwd, 'uptime')) ? 'uptimectl' : 'uptime';
  const target = beside === cwd ? relative(cwd, executable) : executable;
  return { uptime: `./${name}`, link: `ln -s ${quoted(target)} ${name}` };
}

function isSame(path: string, executable: string): boolean {
  const [one, other] = [path, executable].map((file) => statSync(file, { throwIfNoEntry: false }));
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

const typed = (path: string, cwd: string) => quoted(dirname(path) === cwd ? `./${relative(cwd, path)}` : path);

const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
