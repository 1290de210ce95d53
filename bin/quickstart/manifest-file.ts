import { access, mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { quickstartManifest } from './embedded-manifest.ts';

/**
 * Returns the path of the manifest, relative to `cwd`. In a clone this is the example of the repository. Elsewhere it
 * is a copy in the data folder. The user may edit either file.
 */
export async function manifestFile(cwd: string, dataDir: string): Promise<string> {
  const example = join('examples', 'quickstart', 'monitors.yaml');
  if (await exists(join(cwd, example))) return example;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const copy = join(dataDir, 'monitors.yaml');
  if (!(await exists(copy))) await writeFile(copy, quickstartManifest());
  return relative(cwd, copy);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
