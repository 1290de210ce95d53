import type { Connection } from '../../connection.ts';
import { channels } from '../../nouns/channels.ts';
import { plain } from '../../output.ts';
import { onOne } from '../../verbs/on-one.ts';

export const confirmChannel = onOne(channels, {
  verb: 'confirm',
  summary: 'confirm the address of a channel by the code that was sent there, or send a new code',
  examples: ['channels confirm ops 123456', 'channels confirm ops'],
  flags: (command) =>
    void command.argument('[code]', 'the six digits; on a terminal, asks for them if you leave them out'),
  read: (_flags, [code]) => ({ code }),

  async run(found, { code, ...shown }, connection) {
    const { client, signal, io } = connection;
    const { id, confirmedAt } = found;
    const called = JSON.stringify(plain(found.name));
    if (confirmedAt !== null) {
      const why = confirmedAt === undefined ? 'needs no confirmation' : 'is confirmed already';
      io.say(`Channel ${called} ${why}: alerts go there.`);
      return channels.show(found, shown, connection);
    }
    const entered = code ?? (io.interactive ? await askCode(called, connection) : '');
    const channel = await client.channels.confirm(id, entered || undefined, { signal });
    if (entered === '') io.say(`Sent a new code: \`uptime channels confirm ${id} <code>\` confirms channel ${called}.`);
    else io.say(`Channel ${called} is confirmed: alerts go there now.`);
    await channels.show(channel, shown, connection);
  },
});

async function askCode(called: string, { io, signal }: Connection): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  const message = `The six digits that were sent to channel ${called} (leave empty for a new code):`;
  const validate = (text: string) => /^([0-9]{6})?$/.test(text.trim()) || 'Enter six digits, or nothing.';
  return (await input({ message, validate }, { input: io.stdin, output: io.stderr, signal })).trim();
}
