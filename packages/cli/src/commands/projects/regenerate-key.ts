import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { confirm, yesFlag } from '../../prompts/confirm.ts';
import { readShown, type Shown, showProject, shownFlags } from './show.ts';

interface RegenerateOptions extends Shown {
  settings: SettingFlags;
  project: string;
  yes: boolean;
}

export const regenerateKey = command<RegenerateOptions>({
  path: 'projects regenerate-key',
  summary: "replace a project's API key; the old one stops working at once",
  examples: ['projects regenerate-key shop --yes', 'projects regenerate-key shop --yes -o json'],
  define: (command) => {
    yesFlag(command.argument('<project>', 'its id or name'));
    shownFlags(command);
  },
  parse: ([project], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    project: project ?? '',
    yes: isSet(flags, 'yes'),
  }),

  async run({ settings, project: word, yes, ...shown }, context) {
    const { signal } = context;
    const client = await context.connectAccount(settings);
    const { findProject } = await import('./find.ts');
    const before = await findProject(client, word, signal);
    const message = `Create a new key for project ${plain(before.name)}? The old one stops working at once.`;
    await confirm({ message, yes, next: 'add --yes to create a new key' }, context);
    const project = await client.projects.regenerateKey(before.id, { signal });
    // If the profile holds the old key, the new one replaces it. A key in the environment cannot be changed here.
    const { apiKey } = context.settings({ ...settings, apiKey: undefined });
    if (apiKey?.value === before.apiKey && apiKey.from !== 'UPTIME_API_KEY') {
      const { useProject } = await import('./use-key.ts');
      await useProject(project, settings, context, { current: false });
    }
    await showProject(context.io, project, shown);
    return 'ok';
  },
});
