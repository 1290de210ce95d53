import { command } from '../../command.ts';
import { readFormat, shownFlags } from '../../flags/output-flags.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { type Format, output, pairs } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';

interface AddOptions {
  settings: SettingFlags;
  region: string;
  format: Format;
  quiet: boolean;
}

export const addProbe = command<AddOptions>({
  path: 'probes add',
  summary: 'make a token with which probes join a region; needs an admin',
  examples: ['probes add eu-west', 'probes add eu-west --quiet'],
  define: (command) => shownFlags(command.argument('<region>', 'the region that its probes check from')),
  parse: ([region], flags) => ({
    settings: settingFlags(flags),
    region: region ?? '',
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
  }),

  async run({ settings, region, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connectAccount(settings);
    const probe = await client.probes.add({ region }, { signal });
    // With `--quiet`, prints the token instead of the id, because the server shows the token only now.
    if (quiet) {
      io.print(probe.token);
      return 'ok';
    }
    const { id, token } = probe;
    await output(io, format, probe, () => pairs(Object.entries({ id, region, token })));
    io.say('The token is shown only this once. On the other machine:');
    io.say(`  uptimed probe --join ${context.settings(settings).siteUrl.value} --token <token>`);
    return 'ok';
  },
});
