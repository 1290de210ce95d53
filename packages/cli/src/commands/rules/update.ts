import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { listFlag, repeated, settingFlags } from '../../flags/raw-flags.ts';
import { fieldFlags, readFields, withUnset } from '../../flags/field-flags.ts';
import { refuseNothing } from '../../flags/refuse-faults.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { ruleFlags } from '../../nouns/flags/rules.ts';
import { memberFlags, type Members, readMembers } from '../../flags/reference-flags.ts';

interface UpdateOptions extends Shown {
  settings: SettingFlags;
  rule: string;
  patch: Record<string, unknown>;
  members: Members;
}

export const updateRule = command<UpdateOptions>({
  path: 'rules update',
  summary: 'change fields of an alert rule; other fields stay unchanged',
  examples: [
    'rules update backups --monitor nightly-backup --monitor shop',
    'rules update backups --no-enabled --unset reminder-interval',
  ],
  define: (command) => {
    command.argument('<rule>', 'its id, key or name');
    memberFlags(command);
    fieldFlags(command, ruleFlags);
    command.option('--unset <field>', "restore a field's default; may be repeated", repeated);
    shownFlags(command);
  },
  parse: ([rule], flags) => {
    const patch = withUnset(readFields(flags, ruleFlags), listFlag(flags, 'unset'), ruleFlags);
    const members = readMembers(flags);
    const named = {
      ...patch,
      ...(members.monitors && { monitorIds: [] }),
      ...(members.channels && { channelIds: [] }),
    };
    refuseNothing(named, 'rules update', '--consecutive-failures 3');
    return { settings: settingFlags(flags), ...readShown(flags), rule: rule ?? '', patch, members };
  },

  async run({ settings, rule: word, patch: typed, members, ...shown }, { io, signal, connect }) {
    const { asPatch } = await import('./validate-fields.ts');
    const { resolveMembers } = await import('./resolve-members.ts');
    const { findRule } = await import('./find.ts');
    const { showRule } = await import('./show.ts');
    const patch = asPatch(typed);
    const client = await connect(settings);
    const { id } = await findRule(client, word, signal);
    const rule = await client.alertRules.update(
      id,
      { ...patch, ...(await resolveMembers(members, client, signal)) },
      { signal },
    );
    await showRule(io, rule, shown, { client, signal });
    return 'ok';
  },
});
