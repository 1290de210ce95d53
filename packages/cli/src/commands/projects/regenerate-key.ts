import { isSet } from '../../flags/raw-flags.ts';
import { projects } from '../../nouns/projects.ts';
import { plain } from '../../output.ts';
import { confirm, yesFlag } from '../../prompts/confirm.ts';
import { onOne } from '../../verbs/on-one.ts';

export const regenerateKey = onOne(projects, {
  verb: 'regenerate-key',
  summary: "replace a project's API key; the old one stops working at once",
  examples: ['projects regenerate-key shop --yes', 'projects regenerate-key shop --yes -o json'],
  flags: (command) => void yesFlag(command),
  read: (flags) => ({ yes: isSet(flags, 'yes') }),

  async run(before, { yes, ...shown }, connection) {
    const { client, signal, context, settings } = connection;
    const message = `Create a new key for project ${plain(before.name)}? The old one stops working at once.`;
    await confirm({ message, yes, next: 'add --yes to create a new key' }, context);
    const project = await client.projects.regenerateKey(before.id, { signal });
    // If the profile holds the old key, the new key replaces the old key there. A program cannot change a key in an
    // environment variable of its caller.
    const { apiKey } = context.settings({ ...settings, apiKey: undefined });
    if (apiKey?.value === before.apiKey && apiKey.from !== 'UPTIME_API_KEY') {
      const { useProject } = await import('../../nouns/projects/use-project.ts');
      await useProject(project, settings, context, { current: false });
    }
    await projects.show(project, shown, connection);
  },
});
