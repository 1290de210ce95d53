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
    const { formatDiagnostic } = await import('../../manifest/diagnostic.ts');
    const { monitors, faults } = validateManifests(await loadSources(files, cwd, io), env);
    const valid = faults.length === 0;
    await output(io, format, { valid, monitors: monitors.length, faults }, () =>
      valid ? `No fault: ${monitors.length} monitors.` : faults.map(formatDiagnostic).join('\n'),
    );
    return valid ? 'ok' : 'usage';
  },
});
