import { output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { confirm, yesFlag } from '../../prompts/confirm.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface DeleteOptions extends Shown {
  settings: SettingFlags;
  channel: string;
  yes: boolean;
}

export const deleteChannel = command<DeleteOptions>({
  path: 'channels delete',
  summary: 'delete a channel, and remove it from rules',
  examples: ['channels delete ops --yes', 'channels delete ops --yes --quiet'],
  define: (command) => shownFlags(yesFlag(command.argument('<channel>', 'its id, key or name'))),
  parse: ([channel], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    channel: channel ?? '',
    yes: isSet(flags, 'yes'),
  }),

  async run({ settings, channel: word, yes, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const { findChannel } = await import('./find.ts');
    const { id, name, type } = await findChannel(client, word, signal);
    const what = `${type} channel ${JSON.stringify(plain(name))} (${id})`;
    await confirm({ message: `Delete ${what}?`, yes, next: 'add --yes to delete it' }, context);
    await client.channels.delete(id, { signal });
    if (quiet) io.print(id);
    else {
      io.say(`Deleted ${what}.`);
      await output(io, format, { id, name, type, deleted: true }, () => '');
    }
    return 'ok';
  },
});
