import { command } from '../../command.ts';
import { readFormat, shownFlags } from '../../flags/output-flags.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { type Format, output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';

interface RevokeOptions {
  settings: SettingFlags;
  id: string;
  format: Format;
  quiet: boolean;
}

export const revokeProbe = command<RevokeOptions>({
  path: 'probes revoke',
  summary: 'revoke a probe token at once; needs an admin',
  examples: ['probes revoke prb_01J8', 'probes revoke prb_01J8 --quiet'],
  define: (command) => shownFlags(command.argument('<token>', 'its id from `uptime probes list`')),
  parse: ([id], flags) => ({
    settings: settingFlags(flags),
    id: id ?? '',
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
  }),

  async run({ settings, id, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connectAccount(settings);
    await client.probes.revoke(id, { signal });
    if (quiet) {
      io.print(id);
      return 'ok';
    }
    io.say('Revoked the token. Its probes get no monitors, and their results are refused.');
    await output(io, format, { id, revoked: true }, () => '');
    return 'ok';
  },
});
