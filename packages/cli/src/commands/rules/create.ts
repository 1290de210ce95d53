import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { fieldFlags, readFields } from '../../flags/field-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { ruleFlags } from '../../nouns/flags/rules.ts';
import { memberFlags, type Members, readMembers } from '../../flags/reference-flags.ts';

interface CreateOptions extends Shown {
  settings: SettingFlags;
  fields: Record<string, unknown>;
  members: Members;
}

export const createRule = command<CreateOptions>({
  path: 'rules create',
  summary: 'create an alert rule; on a terminal, asks for missing fields',
  examples: [
    'rules create --name Backup --monitor nightly-backup --channel ops',
    'rules create --name Site --monitor shop --channel ops --consecutive-failures 3 --reminder-interval 3600',
  ],
  define: (command) => {
    memberFlags(command);
    fieldFlags(command, ruleFlags);
    shownFlags(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    fields: readFields(flags, ruleFlags),
    members: readMembers(flags),
  }),

  async run({ settings, fields: typed, members: named, ...shown }, context) {
    const { io, signal } = context;
    const { asInput, checkInput } = await import('./validate-fields.ts');
    const { resolveMembers } = await import('./resolve-members.ts');
    const { showRule } = await import('./show.ts');
    if (!io.interactive) checkInput(typed, named);
    const client = await context.connect(settings);
    const { fields, members } = io.interactive
      ? await (await import('./ask-rule.ts')).askRule({ fields: typed, members: named }, client, context)
      : { fields: typed, members: named };
    checkInput(fields, members);
    const input = asInput({ ...fields, ...(await resolveMembers(members, client, signal)) });
    await showRule(io, await client.alertRules.create(input, { signal }), shown, { client, signal });
    return 'ok';
  },
});
