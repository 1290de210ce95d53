import type { Kind } from '../../kinds/kind.ts';
import { type Format, output } from '../../output.ts';
import { command } from '../command.ts';
import { fileFlag, readFiles } from '../file-flag.ts';
import { formatFlag, readFormat } from '../format-flag.ts';

interface ValidateOptions {
  format: Format;
  files: string[];
}

export const validateMonitors = command<ValidateOptions>({
  path: 'monitors validate',
  aliases: ['validate'],
  summary: 'find every fault of a manifest, without a server',
  examples: ['monitors validate -f monitors.yaml', 'monitors validate -f monitors.yaml -o json'],
  define: (command) => {
    fileFlag(command);
    formatFlag(command);
  },
  parse: (_args, flags) => ({ format: readFormat(flags), files: readFiles(flags) }),

  async run({ format, files }, { io, cwd, env }) {
    const { loadSources } = await import('../../manifest/load.ts');
    const { validateManifests } = await import('../../manifest/validate.ts');
    const { formatDiagnostic, sortDiagnostics } = await import('../../manifest/diagnostic.ts');
    const { allKinds } = await import('../../kinds/index.ts');
    const { items, lists, ...found } = validateManifests(await loadSources(files, cwd, io), env, Date.now());
    const faults = sortDiagnostics([...found.faults, ...found.dangling]);
    const valid = faults.length === 0;
    const counts = allKinds
      .filter(({ list }) => lists.has(list))
      .map((kind) => [kind, items.filter((item) => item.kind === kind).length] as const);
    const data = { valid, ...Object.fromEntries(counts.map(([{ list }, count]) => [list, count])), faults };
    await output(io, format, data, () =>
      valid ? `No fault: ${counts.map(counted).join(', ')}.` : faults.map(formatDiagnostic).join('\n'),
    );
    return valid ? 'ok' : 'usage';
  },
});

const counted = ([{ one, many }, count]: readonly [Kind, number]): string => `${count} ${count === 1 ? one : many}`;
