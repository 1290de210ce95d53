import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface CommandName {
  /** The words that people type in this folder to start the command line, such as `npx uptime`. */
  uptime: string;
  /**
   * Command to type once before `uptime` can be used. It creates a link to the single executable with the name `uptime`
   * or `uptimectl`, because under other names the executable is the daemon.
   */
  link: string | undefined;
}

/** Returns how to start the command line: by npx if `executable` is null, otherwise by a link to that file. */
export function commandName(executable: string | null, cwd: string): CommandName {
  if (executable === null) return { uptime: 'npx uptime', link: undefined };
  const folder = dirname(executable);
  const known = [join(cwd, 'uptime'), join(folder, 'uptimectl'), join(folder, 'uptime')].find((path) =>
    isSame(path, executable),
  );
  if (known) return { uptime: typed(known, cwd), link: undefined };
  // A link in this folder needs no special rights. A link in PATH could hide the system's own `uptime`.
  const name = existsSync(join(cwd, 'uptime')) ? 'uptimectl' : 'uptime';
  const target = folder === cwd ? relative(cwd, executable) : executable;
  return { uptime: `./${name}`, link: `ln -s ${quoted(target)} ${name}` };
}

function isSame(path: string, executable: string): boolean {
  const [one, other] = [path, executable].map((file) => statSync(file, { throwIfNoEntry: false }));
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

const typed = (path: string, cwd: string) => quoted(dirname(path) === cwd ? `./${relative(cwd, path)}` : path);

const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
