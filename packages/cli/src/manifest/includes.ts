import { globSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type ReadBudget, readText, type Source, takeBytes, tooLarge } from './load.ts';
import { writerOf } from './unfinished-name.ts';

/** Finds and reads the files that a manifest includes. */
export interface Includes {
  /**
   * Returns the files that a pattern names, or a text that says what is wrong with the pattern. The pattern is relative
   * to the file `from`, which contains it. `root` is the main manifest. If `root` is in the working folder, the working
   * folder is the project. Otherwise, the folder of `root` is the project. Subtracts the sizes of the files from the
   * budget.
   */
  find: (pattern: string, from: Source, root: Source, budget: ReadBudget) => Source[] | string;
  /** Returns a text that identifies a file. It is the same for all paths that lead to that file. */
  identity: (name: string) => string;
}

/** Maximum number of files that one pattern may name. */
const maxFiles = 1000;

/** Used for manifests that do not come from a file. Such a manifest cannot include files. */
export const noIncludes: Includes = {
  find: () => 'cannot be read: this manifest comes from no file',
  identity: (name) => name,
};

/**
 * Creates the includes of a command that runs in the folder `cwd`. A manifest may include files outside of the project
 * only with `allowOutside`.
 */
export function openIncludes(cwd: string, { allowOutside }: { allowOutside: boolean }): Includes {
  const folderOf = ({ name }: Source) => (name.startsWith('<') ? cwd : dirname(resolve(cwd, name)));
  const identity = (name: string) => {
    const path = resolve(cwd, name);
    return statSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : path;
  };
  const filesOf: Includes['find'] = (pattern, from, root, budget) => {
    const folder = folderOf(from);
    const project = isInside(folderOf(root), cwd) ? cwd : folderOf(root);
    const outside = (path: string) =>
      !allowOutside && !isInside(path, project) && !isInside(path, identity(project))
        ? `leads out of the project's folder ${project}; move the file, or add --allow-outside`
        : null;
    const isGlob = /[*?[{]/.test(pattern);
    const [fixed = ''] = /^[^*?[{]*/.exec(pattern) ?? [];
    const start = resolve(folder, isGlob ? dirname(`${fixed}x`) : pattern);
    const escaped = outside(start);
    if (escaped) return escaped;
    const paths = isGlob ? globbed(pattern, folder) : [pattern];
    if (paths.length > maxFiles) return `names ${paths.length} files, but the limit is ${maxFiles}`;
    const sources: Source[] = [];
    for (const path of paths.toSorted()) {
      const at = resolve(folder, path);
      const stat = statSync(at, { throwIfNoEntry: false });
      if (!stat) return 'names no file: there is no such file';
      if (!stat.isFile()) {
        if (isGlob) continue;
        return stat.isDirectory()
          ? 'names a folder: write a pattern such as `folder/*.yaml`'
          : 'names a device or a pipe: expected a file';
      }
      const real = outside(realpathSync(at));
      if (real) return real;
      // A pattern may match the file that contains the pattern. That file is skipped, because a file cannot include
      // itself.
      if (isGlob && realpathSync(at) === identity(from.name)) continue;
      const name = isAbsolute(from.name) ? at : relative(cwd, at);
      const large = tooLarge(stat.size) ?? takeBytes(budget, stat.size);
      if (large !== null) return `names ${name}, which ${large}`;
      const text = readText(readFileSync(at));
      if (text === null) return `names ${name}, which is not UTF-8 text: save it as UTF-8`;
      sources.push({ name, text });
    }
    return sources.length === 0 ? 'matches no file' : sources;
  };
  return {
    identity,
    find(pattern, from, root, budget) {
      try {
        return filesOf(pattern, from, root, budget);
      } catch (error) {
        // The error code of the system says why: for example, another user owns the file, or a link leads to itself.
        const { code } = error as NodeJS.ErrnoException;
        if (code === undefined) throw error;
        return `cannot be read (${code})`;
      }
    },
  };
}

/**
 * Returns the files that a pattern matches. Leaves out temporary files of `uptime pull`: a pull that was killed leaves
 * them in the folder until the next pull.
 */
const globbed = (pattern: string, folder: string): string[] =>
  globSync(pattern, { cwd: folder, exclude: (name) => name === 'node_modules' || name === '.git' })
    .filter((path) => writerOf(basename(path)) === null)
    .map((path) => join(path));

const isInside = (path: string, folder: string): boolean =>
  path === folder || `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
