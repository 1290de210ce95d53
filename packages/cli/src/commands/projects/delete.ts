import { type Format, output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { confirm, yesFlag } from '../../prompts/confirm.ts';
import { shownFlags, readFormat } from '../../flags/output-flags.ts';

interface DeleteOptions {
  settings: SettingFlags;
  project: string;
  yes: boolean;
  format: Format;
  quiet: boolean;
}

export const deleteProject = command<DeleteOptions>({
  path: 'projects delete',
  summary: 'delete a project and everything in it',
  examples: ['projects delete shop --yes', 'projects delete shop --yes --profile default'],
  define: (command) => shownFlags(yesFlag(command.argument('<project>', 'its id or name'))),
  parse: ([project], flags) => ({
    settings: settingFlags(flags),
    project: project ?? '',
    yes: isSet(flags, 'yes'),
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
  }),

  async run({ settings, project: word, yes, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connectAccount(settings);
    const { findProject } = await import('./find.ts');
    const project = await findProject(client, word, signal);
    const name = plain(project.name);
    const message = `Delete project ${name} (${project.id}), its monitors and all their history?`;
    await confirm({ message, yes, next: 'add --yes to delete it' }, context);
    await client.projects.delete(project.id, { signal });
    if (quiet) io.print(project.id);
    else {
      io.say(`Deleted project ${name}.`);
      await output(io, format, { id: project.id, name: project.name, deleted: true }, () => '');
    }
    if (context.settings(settings).apiKey?.value === project.apiKey) {
      io.say('This project was in use: `uptime projects use <project>` selects another.');
    }
    return 'ok';
  },
});
