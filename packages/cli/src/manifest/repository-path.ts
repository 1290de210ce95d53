import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

interface Job {
  cwd: string;
  env: Record<string, string | undefined>;
}

/**
 * Returns the name of a file as the forge of a CI job knows it: from the root of the repository, with slashes. A job may
 * run in another folder. Elsewhere, and for a file outside of the repository, the name is from the folder of the command.
 */
export function repositoryPath(file: string, { cwd, env }: Job): string {
  // Standard input has no path.
  if (file === '' || file.startsWith('<')) return file;
  const at = resolve(cwd, file);
  const roots = [env['GITHUB_WORKSPACE'], env['CI_PROJECT_DIR'], cwd].filter(
    (root) => root !== undefined && root !== '',
  );
  const paths = roots.flatMap((root) => [relative(root!, at), relative(realOf(root!), at)]);
  const path = paths.find((one) => !isAbsolute(one) && one.split(sep)[0] !== '..') ?? file;
  return path.split(sep).join('/');
}

/** The folder of a job may be a link. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
