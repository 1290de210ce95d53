import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags, textFlag } from '../../flags/raw-flags.ts';
import { readShown, type Shown, showProject, shownFlags } from './show.ts';

interface UpdateOptions extends Shown {
  settings: SettingFlags;
  project: string;
  name: string;
}

export const updateProject = command<UpdateOptions>({
  path: 'projects update',
  summary: 'rename a project',
  examples: ['projects update shop --name shop-and-stock', 'projects update shop --name shop -o json'],
  define: (command) => {
    command
      .argument('<project>', 'its id or name')
      .requiredOption('--name <text>', 'display name, 1 to 200 characters');
    shownFlags(command);
  },
  parse: ([project], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    project: project ?? '',
    name: textFlag(flags, 'name') ?? '',
  }),

  async run({ settings, project: word, name, ...shown }, context) {
    const { readProjectName } = await import('./name.ts');
    const fields = readProjectName(name);
    const { signal } = context;
    const client = await context.connectAccount(settings);
    const { findProject } = await import('./find.ts');
    const { id } = await findProject(client, word, signal);
    await showProject(context.io, await client.projects.update(id, fields, { signal }), shown);
    return 'ok';
  },
});
