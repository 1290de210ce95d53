import type { Context } from '../../context.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../manifest/diagnostic.ts';
import type { Manifest, Validated } from '../../manifest/validate.ts';
import { type Format, output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import type { ManifestChoice } from '../../manifest/manifest-choice.ts';
import { fileFlag, readManifestChoice } from '../file-flag.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';

interface ValidateOptions {
  settings: SettingFlags;
  format: Format;
  manifest: ManifestChoice;
  server: boolean;
}

export const validateMonitors = command<ValidateOptions>({
  path: 'monitors validate',
  aliases: ['validate'],
  summary: 'find every fault of a manifest; asks a server only with --server',
  examples: ['monitors validate', 'monitors validate -f monitors.yaml --server -o json'],
  define: (command) => {
    fileFlag(command).option(
      '--server',
      'also check against the server: its names, regions without a daemon, monitors without an alert rule',
    );
    formatFlag(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    manifest: readManifestChoice(flags),
    server: isSet(flags, 'server'),
  }),

  async run({ format, manifest, server, settings }, context) {
    const { io, cwd, env } = context;
    const { loadSources } = await import('../../manifest/load.ts');
    const { validateManifests } = await import('../../manifest/validate.ts');
    const { openIncludes } = await import('../../manifest/includes.ts');
    const { formatDiagnostic, sortDiagnostics } = await import('../../manifest/diagnostic.ts');
    const { allKinds } = await import('../../kinds/index.ts');
    const validated = validateManifests(await loadSources(manifest.files, cwd, io), env, Date.now(), {
      environment: manifest.environment,
      includes: openIncludes(cwd, manifest),
    });
    const { items, lists } = validated;
    // A reference may name an object that only the server has. If the manifest has other faults, no plan can be made,
    // so the server is asked only about the references.
    const serverFindings =
      server && validated.faults.length === 0 ? await askServer(validated, settings, context) : null;
    const dangling =
      server && !serverFindings ? await askForReferences(validated, settings, context) : validated.dangling;
    const faults = serverFindings ? serverFindings.faults : sortDiagnostics([...validated.faults, ...dangling]);
    const valid = faults.length === 0;
    const counts = allKinds
      .filter(({ list }) => lists.has(list))
      .map((kind) => [kind, items.filter((item) => item.kind === kind).length] as const);
    const data = {
      valid,
      ...Object.fromEntries(counts.map(([{ list }, count]) => [list, count])),
      faults,
      ...(serverFindings && { warnings: [...serverFindings.gaps.regions, ...serverFindings.gaps.unwatched] }),
    };
    await output(io, format, data, () =>
      valid ? `No fault: ${counts.map(counted).join(', ')}.` : faults.map(formatDiagnostic).join('\n'),
    );
    if (serverFindings) {
      const { sayGaps } = await import('../../gaps/read-gaps.ts');
      sayGaps(serverFindings.gaps, context);
    }
    return valid ? 'ok' : 'usage';
  },
});

/**
 * Makes a plan from the manifest and the server. Returns faulty references, regions without a daemon, and monitors
 * without a rule.
 */
async function askServer(manifest: Manifest, settings: SettingFlags, context: Context) {
  const { planOfManifest } = await import('../../plan/make.ts');
  const { ManifestFaults } = await import('../../manifest/manifest-faults.ts');
  const { readGaps } = await import('../../gaps/read-gaps.ts');
  try {
    const prepared = await planOfManifest(manifest, { settings, prune: false }, context);
    return { faults: [], gaps: await readGaps(prepared, context) };
  } catch (error) {
    if (!(error instanceof ManifestFaults)) throw error;
    return { faults: error.faults, gaps: { regions: [], unwatched: [] } };
  }
}

/**
 * Returns the references to objects that neither the manifest nor the server has. If the server cannot be asked, prints
 * a warning, and returns the references to objects that the manifest does not have.
 */
async function askForReferences(validated: Validated, settings: SettingFlags, context: Context): Promise<Diagnostic[]> {
  const { referencesOnServer } = await import('../../plan/references-on-server.ts');
  const { explain } = await import('../../report.ts');
  try {
    return await referencesOnServer(validated, settings, context);
  } catch (error) {
    const { message } = await explain(error, context);
    context.io.say(`${context.io.err.yellow('warning:')} the server was not asked: ${message}`);
    return validated.dangling;
  }
}

const counted = ([{ one, many }, count]: readonly [Kind, number]): string => `${count} ${count === 1 ? one : many}`;
