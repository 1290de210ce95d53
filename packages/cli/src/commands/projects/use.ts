import { type Format, output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { shownFlags, readFormat } from '../../flags/output-flags.ts';
import { withoutKey } from './show.ts';

interface UseOptions {
  settings: SettingFlags;
  project: string;
  format: Format;
  quiet: boolean;
}

export const useProjectCommand = command<UseOptions>({
  path: 'projects use',
  summary: 'choose the project for further commands',
  examples: ['projects use shop', 'projects use shop --profile default'],
  define: (command) => shownFlags(command.argument('<project>', 'its id or name')),
  parse: ([project], flags) => ({
    settings: settingFlags(flags),
    project: project ?? '',
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
  }),

  async run({ settings, project: word, format, quiet }, context) {
    const client = await context.connectAccount(settings);
    const { findProject } = await import('./find.ts');
    const { useProject } = await import('./use-key.ts');
    const project = await findProject(client, word, context.signal);
    await useProject(project, settings, context, { current: true });
    if (quiet) context.io.print(project.id);
    else await output(context.io, format, withoutKey(project), () => '');
    return 'ok';
  },
});
