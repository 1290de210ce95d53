import type { CliCommand } from '../command.ts';
import { shownFlags } from '../flags/output-flags.ts';
import { isSet } from '../flags/raw-flags.ts';
import type { Calls, Deletion, Noun } from '../nouns/noun.ts';
import type { Uptime } from '@uptime/sdk';
import { output, plain } from '../output.ts';
import { confirm, yesFlag } from '../prompts/confirm.ts';
import { onOne } from './on-one.ts';

/** Returns the command that deletes a resource of a noun after the user has confirmed it. */
export const remove = <T extends { id: string; name?: string }>(
  noun: Omit<Noun<T>, 'calls'> & { calls(client: Uptime): Pick<Calls<T>, 'delete'>; delete: Deletion<T> },
): CliCommand => {
  const { summary, examples, subject, loses, printed, after } = noun.delete;
  return onOne<T, { yes: boolean }>(noun, {
    verb: 'delete',
    summary,
    examples,
    flags: (command) => void yesFlag(command),
    output: shownFlags,
    read: (flags) => ({ yes: isSet(flags, 'yes') }),

    async run(resource, { yes, format, quiet }, connection) {
      const { client, signal, io, context } = connection;
      const { id, name = '' } = resource;
      const what = subject?.(resource) ?? `${noun.one} ${JSON.stringify(plain(name))} (${id})`;
      const message = `Delete ${what}${loses?.(resource) ?? ''}?`;
      await confirm({ message, yes, next: 'add --yes to delete it' }, context);
      await noun.calls(client).delete(id, { signal });
      if (quiet) io.print(id);
      else {
        io.say(`Deleted ${what}.`);
        await output(io, format, { ...printed(resource), deleted: true }, () => '');
      }
      after?.(resource, connection);
    },
  });
};
