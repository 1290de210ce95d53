import type { SettingFlags } from '../../settings.ts';
import { command, settingFlags } from '../command.ts';

interface UseOptions {
  settings: SettingFlags;
  project: string;
}

export const useProjectCommand = command<UseOptions>({
  path: 'projects use',
  summary: "store a project's key in the profile, so that further commands work on it",
  examples: ['projects use shop', 'projects use shop --profile default'],
  define: (command) => void command.argument('<project>', 'its id or name'),
  parse: ([project], flags) => ({ settings: settingFlags(flags), project: project ?? '' }),

  async run({ settings, project: word }, context) {
    const client = await context.connectAccount(settings);
    const { findProject } = await import('./find.ts');
    const { useProject } = await import('./use-key.ts');
    await useProject(await findProject(client, word, context.signal), settings, context);
    return 'ok';
  },
});
