import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface CommandName {
  /** How to start the command line from this folder. */
  uptime: string;
  /**
   * Command to type once before `command`. It creates a link with the name `uptime`: under other names, the single
   * executable is the daemon.
   */
  link: string | undefined;
}

/** Returns the name for the single executable at `executable`, or for a clone (null), where npx finds the program. */
export function commandName(executable: string | null, cwd: string): CommandName {
  if (executable === null) return { uptime: 'npx uptime', link: undefined };
  const beside = dirname(executable);
  const known = [join(cwd, 'uptime'), join(beside, 'uptimectl'), join(beside, 'uptime')].find((path) =>
    isSame(path, executable),
  );
  if (known) return { uptime: typed(known, cwd), link: undefined };
  // A link in this folder needs no special rights, and hides no other program of that name.
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
