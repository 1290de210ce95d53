import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, isSet, settingFlags } from '../command.ts';
import { confirm, yesFlag } from '../confirm.ts';

interface DeleteOptions {
  settings: SettingFlags;
  monitor: string;
  yes: boolean;
}

export const deleteMonitor = command<DeleteOptions>({
  path: 'monitors delete',
  summary: 'delete a monitor and its past',
  examples: ['monitors delete nightly-backup --yes', 'monitors delete nightly-backup --yes --profile default'],
  define: (command) => void yesFlag(command.argument('<monitor>', 'its id, key or name')),
  parse: ([monitor], flags) => ({ settings: settingFlags(flags), monitor: monitor ?? '', yes: isSet(flags, 'yes') }),

  async run({ settings, monitor: word, yes }, context) {
    const { signal } = context;
    const client = await context.connect(settings);
    const { findMonitor } = await import('./find.ts');
    const { id, name, type } = await findMonitor(client, word, signal);
    const what = `${type} ${JSON.stringify(plain(name))} (${id})`;
    await confirm({ message: `Delete ${what} and its past?`, yes, next: 'add --yes to delete it' }, context);
    await client.monitors.delete(id, { signal });
    context.io.say(`Deleted ${what}.`);
    return 'ok';
  },
});
