import type { AccountSession } from '@uptime/sdk';
import { type Column, type Format, output, table } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, isSet, settingFlags } from '../command.ts';
import { quietFormatFlag, readFormat } from '../format-flag.ts';

interface ListOptions {
  settings: SettingFlags;
  format: Format;
  quiet: boolean;
}

export const listSessions = command<ListOptions>({
  path: 'sessions list',
  summary: 'list where your account is logged in',
  examples: ['sessions list', 'sessions list -o json'],
  define: quietFormatFlag,
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
  }),

  async run({ settings, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connectAccount(settings);
    const sessions = await client.auth.listSessions({ signal });
    if (quiet) io.print(sessions.map(({ id }) => id).join('\n'));
    else await output(io, format, sessions, () => table(sessions, columns));
    return 'ok';
  },
});

const columns: Column<AccountSession>[] = [
  { title: 'THIS', value: ({ current }) => (current ? '*' : '') },
  { title: 'PROGRAM', value: ({ userAgent }) => userAgent ?? '' },
  { title: 'CREATED', value: ({ createdAt }) => createdAt },
  { title: 'EXPIRES', value: ({ expiresAt }) => expiresAt },
  { title: 'ID', value: ({ id }) => id },
];
