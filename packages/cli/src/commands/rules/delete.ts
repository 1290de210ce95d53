import { output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { confirm, yesFlag } from '../../prompts/confirm.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface DeleteOptions extends Shown {
  settings: SettingFlags;
  rule: string;
  yes: boolean;
}

export const deleteRule = command<DeleteOptions>({
  path: 'rules delete',
  summary: 'delete an alert rule; its open alerts end without a recovery message',
  examples: ['rules delete backups --yes', 'rules delete backups --yes --quiet'],
  define: (command) => shownFlags(yesFlag(command.argument('<rule>', 'its id, key or name'))),
  parse: ([rule], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    rule: rule ?? '',
    yes: isSet(flags, 'yes'),
  }),

  async run({ settings, rule: word, yes, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const { findRule } = await import('./find.ts');
    const { id, name } = await findRule(client, word, signal);
    const what = `alert rule ${JSON.stringify(plain(name))} (${id})`;
    await confirm({ message: `Delete ${what}?`, yes, next: 'add --yes to delete it' }, context);
    await client.alertRules.delete(id, { signal });
    if (quiet) io.print(id);
    else {
      io.say(`Deleted ${what}.`);
      await output(io, format, { id, name, deleted: true }, () => '');
    }
    return 'ok';
  },
});
