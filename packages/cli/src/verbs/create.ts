import type { Uptime } from '@uptime/sdk';
import { type CliCommand, command } from '../command.ts';
import { connect } from '../connection.ts';
import { readFields } from '../flags/field-flags.ts';
import { readShown, type Shown, shownFlags } from '../flags/output-flags.ts';
import { type RawFlags, settingFlags } from '../flags/raw-flags.ts';
import type { Given } from '../kinds/field-rules.ts';
import type { Calls, Creation, Noun, Writable } from '../nouns/noun.ts';
import { readSecrets } from '../prompts/read-secrets.ts';
import type { SettingFlags } from '../settings.ts';

interface CreateOptions {
  settings: SettingFlags;
  shown: Shown;
  typed: Given;
  flags: RawFlags;
}

/** Returns the command that creates a resource of a noun. On a terminal, the command asks for missing fields. */
export const create = <T extends { id: string }>(
  noun: Noun<T> & { calls(client: Uptime): Calls<T>; fields: Writable; create: Creation<T> },
): CliCommand => {
  const { word, account, fields, create: creation } = noun;
  const { summary, examples } = creation;
  const path = `${word} create`;
  return command<CreateOptions>({
    path,
    summary,
    examples,
    define(command) {
      fields.declare(command, true);
      creation.flags?.(command);
      shownFlags(command);
      noun.showFlags?.(command);
    },
    parse: (_args, flags) => ({
      settings: settingFlags(flags),
      shown: readShown(flags),
      typed: { fields: readFields(flags, fields.flags), members: fields.members?.(flags) ?? {} },
      flags,
    }),

    async run({ settings, shown, typed: written, flags }, context) {
      const { validInput } = await import('../kinds/field-rules.ts');
      const { resolveMembers } = await import('../nouns/resolve-ids.ts');
      const rules = await fields.rules();
      const typed = { ...written, fields: await readSecrets(written.fields, fields.flags, context.io) };
      const ask = context.io.interactive ? rules.ask : undefined;
      // If the command asks no questions, it reports faults before it needs a key.
      if (!ask) validInput(typed, rules, path);
      const connection = await connect(settings, context, { account });
      const { client, signal } = connection;
      const given = ask ? await ask(typed, connection) : typed;
      const input = validInput(given, rules, path);
      const ids = await resolveMembers(given.members, connection);
      await creation.before?.(given, typed, ids.monitorIds ?? [], connection);
      const created = await noun.calls(client).create({ ...input, ...ids }, { signal });
      await noun.show(created, shown, connection);
      await creation.after?.(created, { shown, flags }, connection);
      return 'ok';
    },
  });
};
