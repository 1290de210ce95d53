import { type Format, output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { shownFlags, readFormat } from '../../flags/output-flags.ts';

interface RevokeOptions {
  settings: SettingFlags;
  session: string;
  format: Format;
  quiet: boolean;
}

export const revokeSession = command<RevokeOptions>({
  path: 'sessions revoke',
  summary: 'end a session of your account, or all other sessions',
  examples: ['sessions revoke others', 'sessions revoke others --quiet'],
  define: (command) =>
    shownFlags(
      command.argument('<session>', 'its id from `uptime sessions list`, or `others` for all except this one'),
    ),
  parse: ([session], flags) => ({
    settings: settingFlags(flags),
    session: session ?? '',
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
  }),

  async run({ settings, session, format, quiet }, context) {
    const { io, signal } = context;
    const { NotFoundError } = await import('@uptime/sdk');
    const client = await context.connectAccount(settings);
    const ids =
      session === 'others'
        ? (await client.auth.listSessions({ signal })).filter(({ current }) => !current).map(({ id }) => id)
        : [session];
    for (const id of ids) {
      try {
        await client.auth.revokeSession(id, { signal });
      } catch (error) {
        // With `others`, a session may have ended by itself since the list was read. That is not an error.
        if (session !== 'others' || !(error instanceof NotFoundError)) throw error;
      }
      if (quiet) io.print(id);
    }
    if (quiet) return 'ok';
    io.say(ids.length === 1 ? 'Ended one session.' : `Ended ${ids.length} sessions.`);
    await output(
      io,
      format,
      ids.map((id) => ({ id, revoked: true })),
      () => '',
    );
    return 'ok';
  },
});
