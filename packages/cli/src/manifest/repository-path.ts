import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

interface Job {
  cwd: string;
  env: Record<string, string | undefined>;
}

/**
 * Returns the path of a file in the form in which GitHub or GitLab shows it: from the root of the repository, with
 * slashes. The command may run in any folder, and the repository may be in any folder of the CI job. Outside of a
 * repository, the path begins at the folder of the command.
 */
export function repositoryPath(file: string, { cwd, env }: Job): string {
  // Standard input has no path.
  if (file === '' || file.startsWith('<')) return file;
  const at = resolve(cwd, file);
  const roots = [checkoutOf(at), env['GITHUB_WORKSPACE'], env['CI_PROJECT_DIR'], cwd].filter(
    (root) => root !== undefined && root !== '',
  );
  const paths = roots.flatMap((root) => [relative(root!, at), relative(realOf(root!), at)]);
  const path = paths.find((one) => !isAbsolute(one) && one.split(sep)[0] !== '..') ?? file;
  return path.split(sep).join('/');
}

/** Returns the nearest folder above a path that contains `.git`. */
function checkoutOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Returns the real path of a folder, because the folder of a CI job may be a symbolic link. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
