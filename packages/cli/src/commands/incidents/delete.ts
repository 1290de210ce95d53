import { output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { confirm, yesFlag } from '../../prompts/confirm.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface DeleteOptions extends Shown {
  settings: SettingFlags;
  incident: string;
  yes: boolean;
}

export const deleteIncident = command<DeleteOptions>({
  path: 'incidents delete',
  summary: 'delete an incident or a maintenance window; it disappears from the status pages',
  examples: ["incidents delete 'Checkout is slow' --yes", "incidents delete 'Checkout is slow' --yes --quiet"],
  define: (command) => shownFlags(yesFlag(command.argument('<incident>', 'its id or title'))),
  parse: ([incident], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    incident: incident ?? '',
    yes: isSet(flags, 'yes'),
  }),

  async run({ settings, incident: word, yes, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const { findIncident } = await import('./find.ts');
    const { id, title, maintenance } = await findIncident(client, word, { signal });
    const what = `${maintenance ? 'maintenance window' : 'incident'} ${JSON.stringify(plain(title))} (${id})`;
    await confirm({ message: `Delete ${what}?`, yes, next: 'add --yes to delete it' }, context);
    await client.incidents.delete(id, { signal });
    if (quiet) io.print(id);
    else {
      io.say(`Deleted ${what}.`);
      await output(io, format, { id, title, deleted: true }, () => '');
    }
    return 'ok';
  },
});
