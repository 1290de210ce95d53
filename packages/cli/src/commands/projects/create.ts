import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags, textFlag } from '../../flags/raw-flags.ts';
import { readShown, type Shown, showProject, shownFlags } from './show.ts';

interface CreateOptions extends Shown {
  settings: SettingFlags;
  name: string;
  use: boolean;
}

export const createProject = command<CreateOptions>({
  path: 'projects create',
  summary: 'create a project with its own API key',
  examples: ['projects create --name stock', 'projects create --name stock --use'],
  define: (command) => {
    command
      .requiredOption('--name <text>', 'display name, 1 to 200 characters')
      .option('--use', 'store its key in the profile, so that further commands use it');
    shownFlags(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    name: textFlag(flags, 'name') ?? '',
    use: isSet(flags, 'use'),
  }),

  async run({ settings, name, use, ...shown }, context) {
    const { readProjectName } = await import('./name.ts');
    const fields = readProjectName(name);
    const client = await context.connectAccount(settings);
    const project = await client.projects.create(fields, { signal: context.signal });
    await showProject(context.io, project, shown);
    if (use) {
      const { useProject } = await import('./use-key.ts');
      await useProject(project, settings, context, { current: true });
    } else if (!shown.quiet) context.io.say(`\`uptime projects use ${project.id}\` lets further commands use it.`);
    return 'ok';
  },
});
