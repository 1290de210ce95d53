import { globSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type ReadBudget, readText, type Source, takeBytes, tooLarge } from './load.ts';
import { writerOf } from './unfinished-name.ts';

/** Finds and reads the files that manifests include. */
export interface Includes {
  /**
   * Returns the files that a pattern names, or what is wrong with the pattern. The pattern is relative to the including
   * file. Subtracts the sizes of the files from the budget.
   */
  find: (pattern: string, from: Source, root: Source, budget: ReadBudget) => Source[] | string;
  /** Returns the same text for all paths that lead to the same file. */
  identity: (name: string) => string;
}

/** Maximum number of files of one pattern. */
const mostFiles = 1000;

/** For manifests that come from no file. These cannot include files. */
export const noIncludes: Includes = {
  find: () => 'cannot be read: this manifest comes from no file',
  identity: (name) => name,
};

/** Creates includes for a command in the folder `cwd`. Files outside of the project need `allowOutside`. */
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
    if (paths.length > mostFiles) return `names ${paths.length} files, but the limit is ${mostFiles}`;
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
      // A pattern may match the file that contains the pattern. A file cannot include itself.
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
        // The system says why, such as for a file of another user, or a link to itself.
        const { code } = error as NodeJS.ErrnoException;
        if (code === undefined) throw error;
        return `cannot be read (${code})`;
      }
    },
  };
}

/**
 * Returns the files that a pattern matches, without the temporary files of a pull. After a killed pull, such files stay
 * until the next pull.
 */
const globbed = (pattern: string, folder: string): string[] =>
  globSync(pattern, { cwd: folder, exclude: (name) => name === 'node_modules' || name === '.git' })
    .filter((path) => writerOf(basename(path)) === null)
    .map((path) => join(path));

const isInside = (path: string, folder: string): boolean =>
  path === folder || `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
