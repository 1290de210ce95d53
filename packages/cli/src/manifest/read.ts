import type { Context } from '../context.ts';
import { sortDiagnostics } from './diagnostic.ts';
import { loadSources } from './load.ts';
import { ManifestFaults } from './manifest-faults.ts';
import { openIncludes } from './includes.ts';
import type { ManifestChoice } from './manifest-choice.ts';
import { type Manifest, validateManifests } from './validate.ts';

/** Reads the manifests that `-f` names. Throws a CliError (exit code 2) that lists every fault. */
export async function readManifests(
  { files, environment, allowOutside }: ManifestChoice,
  { cwd, io, env }: Pick<Context, 'cwd' | 'io' | 'env'>,
): Promise<Manifest> {
  const sources = await loadSources(files, cwd, io);
  const includes = openIncludes(cwd, { allowOutside });
  const {
    faults,
    dangling,
    named: _named,
    unread: _unread,
    ...manifest
  } = validateManifests(sources, env, Date.now(), {
    environment,
    includes,
  });
  if (faults.length > 0) {
    const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
    // A name that is not in the manifest may exist on the server. But without a valid manifest, the server is not
    // asked.
    const unsure = dangling.map(({ message, ...place }) => ({
      ...place,
      message: `${message} (unless the server has it)`,
    }));
    throw new ManifestFaults(`${count} in the manifest; nothing was changed`, sortDiagnostics([...faults, ...unsure]), {
      exit: 'usage',
      next: '`uptime help manifest` lists the fields',
    });
  }
  return manifest;
}
