import type { Uptime } from '@uptime/sdk';
import { type CliCommand, command } from '../command.ts';
import { connect } from '../connection.ts';
import { readFields, withUnset } from '../flags/field-flags.ts';
import { readShown, type Shown, shownFlags } from '../flags/output-flags.ts';
import { listFlag, repeated, settingFlags } from '../flags/raw-flags.ts';
import type { Members } from '../flags/reference-flags.ts';
import { refuseNothing } from '../flags/refuse-faults.ts';
import type { Calls, Noun, Update, Writable } from '../nouns/noun.ts';
import { readSecrets } from '../prompts/read-secrets.ts';
import type { SettingFlags } from '../settings.ts';

interface UpdateOptions {
  settings: SettingFlags;
  shown: Shown;
  resource: string;
  typed: Record<string, unknown>;
  members: Members;
}

/** Returns the command that changes fields of a resource of a noun. All other fields stay the same. */
export const update = <T extends { id: string; type?: string }>(
  noun: Noun<T> & { calls(client: Uptime): Calls<T>; fields: Writable; update: Update<T> },
): CliCommand => {
  const { word, account, fields } = noun;
  const { summary, examples, such, withoutUnset } = noun.update;
  const path = `${word} update`;
  return command<UpdateOptions>({
    path,
    summary,
    examples,
    define(command) {
      const [name, about] = noun.argument;
      command.argument(`<${name}>`, about);
      fields.declare(command, false);
      if (!withoutUnset) command.option('--unset <field>', "restore a field's default; may be repeated", repeated);
      shownFlags(command);
      noun.showFlags?.(command);
    },
    parse: ([resource = ''], flags) => {
      const typed = withUnset(readFields(flags, fields.flags), listFlag(flags, 'unset'), fields.flags);
      const members = fields.members?.(flags) ?? {};
      const named = Object.entries(members).filter(([, words]) => words !== undefined);
      refuseNothing({ ...typed, ...Object.fromEntries(named) }, path, such);
      return { settings: settingFlags(flags), shown: readShown(flags), resource, typed, members };
    },

    async run({ settings, shown, resource: name, typed, members }, context) {
      const { validPatch } = await import('../kinds/field-rules.ts');
      const { resolveMembers } = await import('../nouns/resolve-ids.ts');
      const rules = await fields.rules();
      const patch = await readSecrets(typed, fields.flags, context.io);
      const valid = rules.typed ? null : validPatch(patch, rules, path);
      const connection = await connect(settings, context, { account });
      const { client, signal } = connection;
      const { id, type } = await noun.find(name, connection);
      const body = valid ?? validPatch(patch, rules, path, type);
      const ids = await resolveMembers(members, connection);
      const changed = { ...body, ...ids };
      const updated = await noun.calls(client).update(id, changed, { signal });
      await noun.show(updated, shown, connection);
      await noun.update.after?.(updated, { shown, changed }, connection);
      return 'ok';
    },
  });
};
