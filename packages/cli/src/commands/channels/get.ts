import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface GetOptions extends Shown {
  settings: SettingFlags;
  channel: string;
}

export const getChannel = command<GetOptions>({
  path: 'channels get',
  summary: 'show one channel; its secrets are masked',
  examples: ['channels get ops', 'channels get ops -o yaml'],
  define: (command) => shownFlags(command.argument('<channel>', 'its id, key or name')),
  parse: ([channel], flags) => ({ settings: settingFlags(flags), ...readShown(flags), channel: channel ?? '' }),

  async run({ settings, channel: word, ...shown }, context) {
    const client = await context.connect(settings);
    const { findChannel } = await import('./find.ts');
    const { showChannel } = await import('./show.ts');
    await showChannel(context.io, await findChannel(client, word, context.signal), shown);
    return 'ok';
  },
});
