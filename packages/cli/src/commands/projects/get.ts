import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, showProject, shownFlags } from './show.ts';

interface GetOptions extends Shown {
  settings: SettingFlags;
  project: string;
}

export const getProject = command<GetOptions>({
  path: 'projects get',
  summary: 'show one project',
  examples: ['projects get shop', 'projects get shop -o yaml'],
  define: (command) => {
    command.argument('<project>', 'its id or name');
    shownFlags(command);
  },
  parse: ([project], flags) => ({ settings: settingFlags(flags), ...readShown(flags), project: project ?? '' }),

  async run({ settings, project: word, ...shown }, context) {
    const client = await context.connectAccount(settings);
    const { findProject } = await import('./find.ts');
    await showProject(context.io, await findProject(client, word, context.signal), shown);
    return 'ok';
  },
});
