import type { Channel } from '@uptime/sdk';
import { type Column, output, table } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, settingFlags } from '../command.ts';
import { readShown, type Shown, shownFlags } from '../show.ts';

interface ListOptions extends Shown {
  settings: SettingFlags;
}

export const listChannels = command<ListOptions>({
  path: 'channels list',
  summary: 'list the channels of the project, and whether messages arrive',
  examples: ['channels list', 'channels list -o json'],
  define: shownFlags,
  parse: (_args, flags) => ({ settings: settingFlags(flags), ...readShown(flags) }),

  async run({ settings, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const channels = await client.channels.list({}, { signal });
    if (quiet) {
      if (channels.length > 0) io.print(channels.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (channels.length === 0) io.say('No channels yet. `uptime channels create` makes one.');
    const { withoutSecrets } = await import('./show.ts');
    await output(io, format, channels.map(withoutSecrets), () =>
      channels.length === 0 ? '' : table(channels, columns),
    );
    return 'ok';
  },
});

const columns: readonly Column<Channel>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'LAST SENT', value: ({ lastSentAt }) => lastSentAt ?? 'never' },
  { title: 'LAST ERROR', value: ({ lastError }) => lastError ?? '-' },
  { title: 'ID', value: ({ id }) => id },
];
