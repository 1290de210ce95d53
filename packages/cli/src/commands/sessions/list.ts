import type { AccountSession } from '@uptime/sdk';
import { type Format, output } from '../../output.ts';
import { type ListColumn, listTable, timeColumn } from '../../list-table.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { shownFlags, readFormat } from '../../flags/output-flags.ts';
import { isWide, wideFlag } from '../../flags/output-flags.ts';

interface ListOptions {
  settings: SettingFlags;
  format: Format;
  quiet: boolean;
  wide: boolean;
}

export const listSessions = command<ListOptions>({
  path: 'sessions list',
  summary: 'list the sessions of your account',
  examples: ['sessions list', 'sessions list -o json'],
  define: (command) => shownFlags(wideFlag(command)),
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
    wide: isWide(flags),
  }),

  async run({ settings, format, quiet, wide }, context) {
    const { io, signal } = context;
    const client = await context.connectAccount(settings);
    const sessions = await client.auth.listSessions({ signal });
    if (quiet) io.print(sessions.map(({ id }) => id).join('\n'));
    else await output(io, format, sessions, () => listTable(io, sessions, columns(Date.now()), wide));
    return 'ok';
  },
});

const columns = (now: number): ListColumn<AccountSession>[] => [
  { title: 'THIS', value: ({ current }) => (current ? '*' : '') },
  { title: 'PROGRAM', value: ({ userAgent }) => userAgent ?? '', cut: true },
  timeColumn('CREATED', { read: ({ createdAt }) => createdAt, now }),
  timeColumn('EXPIRES', { read: ({ expiresAt }) => expiresAt, now }),
  { title: 'ID', value: ({ id }) => id },
];
