import type { Context } from '../../context.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Manifest } from '../../manifest/validate.ts';
import { type Format, output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { fileFlag, readFiles } from '../file-flag.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';

interface ValidateOptions {
  settings: SettingFlags;
  format: Format;
  files: string[];
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
    files: readFiles(flags),
    server: isSet(flags, 'server'),
  }),

  async run({ format, files, server, settings }, context) {
    const { io, cwd, env } = context;
    const { loadSources } = await import('../../manifest/load.ts');
    const { validateManifests } = await import('../../manifest/validate.ts');
    const { formatDiagnostic, sortDiagnostics } = await import('../../manifest/diagnostic.ts');
    const { allKinds } = await import('../../kinds/index.ts');
    const found = validateManifests(await loadSources(files, cwd, io), env, Date.now());
    const { items, lists } = found;
    // The server may have objects that the manifest lacks. With --server it is asked, if there are no other faults.
    const asked = server && found.faults.length === 0 ? await askServer(found, settings, context) : null;
    const faults = asked ? asked.faults : sortDiagnostics([...found.faults, ...found.dangling]);
    const valid = faults.length === 0;
    const counts = allKinds
      .filter(({ list }) => lists.has(list))
      .map((kind) => [kind, items.filter((item) => item.kind === kind).length] as const);
    const data = {
      valid,
      ...Object.fromEntries(counts.map(([{ list }, count]) => [list, count])),
      faults,
      ...(asked && { warnings: [...asked.gaps.regions, ...asked.gaps.unwatched] }),
    };
    await output(io, format, data, () =>
      valid ? `No fault: ${counts.map(counted).join(', ')}.` : faults.map(formatDiagnostic).join('\n'),
    );
    if (asked) {
      const { sayGaps } = await import('../../gaps/read-gaps.ts');
      sayGaps(asked.gaps, context);
    }
    return valid ? 'ok' : 'usage';
  },
});

/** Asks the server for faulty references, regions without a daemon, and monitors without a rule. */
async function askServer(manifest: Manifest, settings: SettingFlags, context: Context) {
  const { planOfManifest, PlanFaults } = await import('../../plan/make.ts');
  const { readGaps } = await import('../../gaps/read-gaps.ts');
  try {
    const made = await planOfManifest(manifest, { settings, prune: false }, context);
    return { faults: [], gaps: await readGaps(made, context) };
  } catch (error) {
    if (!(error instanceof PlanFaults)) throw error;
    return { faults: error.faults, gaps: { regions: [], unwatched: [] } };
  }
}

const counted = ([{ one, many }, count]: readonly [Kind, number]): string => `${count} ${count === 1 ? one : many}`;
