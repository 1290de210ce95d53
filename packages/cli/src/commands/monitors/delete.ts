import { output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { confirm, yesFlag } from '../../prompts/confirm.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface DeleteOptions extends Shown {
  settings: SettingFlags;
  monitor: string;
  yes: boolean;
}

export const deleteMonitor = command<DeleteOptions>({
  path: 'monitors delete',
  summary: 'delete a monitor and its history',
  examples: ['monitors delete nightly-backup --yes', 'monitors delete nightly-backup --yes --profile default'],
  define: (command) => shownFlags(yesFlag(command.argument('<monitor>', 'its id, key or name'))),
  parse: ([monitor], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    monitor: monitor ?? '',
    yes: isSet(flags, 'yes'),
  }),

  async run({ settings, monitor: word, yes, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const { findMonitor } = await import('./find.ts');
    const { id, name, type } = await findMonitor(client, word, signal);
    const what = `${type} ${JSON.stringify(plain(name))} (${id})`;
    await confirm({ message: `Delete ${what} and its history?`, yes, next: 'add --yes to delete it' }, context);
    await client.monitors.delete(id, { signal });
    if (quiet) io.print(id);
    else {
      io.say(`Deleted ${what}.`);
      await output(io, format, { id, name, type, deleted: true }, () => '');
    }
    return 'ok';
  },
});
