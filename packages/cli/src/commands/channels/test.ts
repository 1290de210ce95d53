import { channels } from '../../nouns/channels.ts';
import { output, plain } from '../../output.ts';
import { onOne } from '../../verbs/on-one.ts';

export const testChannel = onOne(channels, {
  verb: 'test',
  summary: 'send a test message; if the provider refuses it, print the answer of the provider',
  examples: ['channels test ops', 'channels test ops -o json'],

  async run({ id, name, type }, { format, quiet }, { client, signal, io }) {
    // If the provider refuses the message, the server returns an error that contains the provider's answer. The program
    // reports that error like any other.
    await client.channels.test(id, { signal });
    if (quiet) return io.print(id);
    io.say(`Sent a test message through ${type} channel ${JSON.stringify(plain(name))}.`);
    await output(io, format, { id, name, type, sent: true }, () => '');
  },
});
