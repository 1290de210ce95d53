import { input } from '@inquirer/prompts';
import type { Context } from '../../context.ts';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface ConfirmOptions extends Shown {
  settings: SettingFlags;
  channel: string;
  code: string | undefined;
}

export const confirmChannel = command<ConfirmOptions>({
  path: 'channels confirm',
  summary: 'confirm the address of a channel by the code that was sent there; without a code, send a new one',
  examples: ['channels confirm ops 123456', 'channels confirm ops'],
  define: (command) => {
    command.argument('<channel>', 'its id, key or name');
    command.argument('[code]', 'the six digits; a terminal asks for them');
    shownFlags(command);
  },
  parse: ([channel, code], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    channel: channel ?? '',
    code,
  }),

  async run({ settings, channel: word, code, ...shown }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const { findChannel } = await import('./find.ts');
    const { showChannel } = await import('./show.ts');
    const found = await findChannel(client, word, signal);
    const { id, confirmedAt } = found;
    const called = JSON.stringify(plain(found.name));
    if (confirmedAt !== null) {
      const why = confirmedAt === undefined ? 'needs no confirmation' : 'is confirmed already';
      io.say(`Channel ${called} ${why}: alerts go there.`);
      await showChannel(io, found, shown);
      return 'ok';
    }
    const entered = code ?? (io.interactive ? await askCode(called, context) : '');
    const channel = await client.channels.confirm(id, entered || undefined, { signal });
    if (entered === '') io.say(`Sent a new code: \`uptime channels confirm ${id} <code>\` confirms channel ${called}.`);
    else io.say(`Channel ${called} is confirmed: alerts go there now.`);
    await showChannel(io, channel, shown);
    return 'ok';
  },
});

async function askCode(called: string, { io, signal }: Pick<Context, 'io' | 'signal'>): Promise<string> {
  const message = `The six digits that were sent to channel ${called} (leave empty for a new code):`;
  const validate = (text: string) => /^([0-9]{6})?$/.test(text.trim()) || 'Enter six digits, or nothing.';
  return (await input({ message, validate }, { input: io.stdin, output: io.stderr, signal })).trim();
}
