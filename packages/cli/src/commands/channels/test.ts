import { output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface TestOptions extends Shown {
  settings: SettingFlags;
  channel: string;
}

export const testChannel = command<TestOptions>({
  path: 'channels test',
  summary: 'send a test message; if the provider refuses it, print its answer',
  examples: ['channels test ops', 'channels test ops -o json'],
  define: (command) => shownFlags(command.argument('<channel>', 'its id, key or name')),
  parse: ([channel], flags) => ({ settings: settingFlags(flags), ...readShown(flags), channel: channel ?? '' }),

  async run({ settings, channel: word, format, quiet }, { io, signal, connect }) {
    const client = await connect(settings);
    const { findChannel } = await import('./find.ts');
    const { id, name, type } = await findChannel(client, word, signal);
    // If the provider refuses, the server's error holds its answer, and is reported like any error.
    await client.channels.test(id, { signal });
    if (quiet) io.print(id);
    else {
      io.say(`Sent a test message through ${type} channel ${JSON.stringify(plain(name))}.`);
      await output(io, format, { id, name, type, sent: true }, () => '');
    }
    return 'ok';
  },
});
