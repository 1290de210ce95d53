import type { Channel } from '@uptime/sdk';
import { output } from '../../output.ts';
import { type ListColumn, listTable, timeColumn } from '../../list-table.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { isWide, wideFlag } from '../../flags/output-flags.ts';

interface ListOptions extends Shown {
  settings: SettingFlags;
  wide: boolean;
}

export const listChannels = command<ListOptions>({
  path: 'channels list',
  summary: 'list the channels of the project, and whether their messages arrive',
  examples: ['channels list', 'channels list -o json'],
  define: (command) => shownFlags(wideFlag(command)),
  parse: (_args, flags) => ({ settings: settingFlags(flags), ...readShown(flags), wide: isWide(flags) }),

  async run({ settings, format, quiet, wide }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const channels = await client.channels.list({}, { signal });
    if (quiet) {
      if (channels.length > 0) io.print(channels.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (channels.length === 0) io.say('No channels yet. `uptime channels create` creates one.');
    const { withoutSecrets } = await import('./show.ts');
    await output(io, format, channels.map(withoutSecrets), () => listTable(io, channels, columns(Date.now()), wide));
    return 'ok';
  },
});

const columns = (now: number): ListColumn<Channel>[] => [
  { title: 'NAME', value: ({ name }) => name, cut: true },
  { title: 'TYPE', value: ({ type }) => type },
  timeColumn('LAST SENT', { read: ({ lastSentAt }) => lastSentAt, none: 'never', now }),
  { title: 'LAST ERROR', value: ({ lastError }) => lastError ?? '-', cut: true },
  { title: 'ID', value: ({ id }) => id, wide: true },
];
