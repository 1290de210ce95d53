import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { formatDiagnostic, sortDiagnostics } from './diagnostic.ts';
import { loadSources } from './load.ts';
import { type Manifest, validateManifests } from './validate.ts';

/** Reads the manifests given by `-f`. Throws a CliError (exit code 2) that lists every fault. */
export async function readManifests(
  paths: readonly string[],
  { cwd, io, env }: Pick<Context, 'cwd' | 'io' | 'env'>,
): Promise<Manifest> {
  const sources = await loadSources(paths, cwd, io);
  const { items, lists, faults, dangling } = validateManifests(sources, env, Date.now());
  if (faults.length > 0) {
    const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
    // The server may have what the manifest lacks, but it is asked only if the manifest has no other faults.
    const unsure = dangling.map(({ message, ...place }) => ({
      ...place,
      message: `${message} (unless the server has it)`,
    }));
    const lines = sortDiagnostics([...faults, ...unsure]).map(formatDiagnostic);
    throw new CliError(`${count} in the manifest; nothing was changed\n${lines.join('\n')}`, {
      exit: 'usage',
      next: '`uptime help manifest` lists the fields',
    });
  }
  return { items, lists };
}
