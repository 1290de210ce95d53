import { output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { confirm, yesFlag } from '../../prompts/confirm.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface DeleteOptions extends Shown {
  settings: SettingFlags;
  page: string;
  yes: boolean;
}

export const deletePage = command<DeleteOptions>({
  path: 'pages delete',
  summary: 'delete a status page, and free its address',
  examples: ['pages delete shop --yes', 'pages delete shop --yes --quiet'],
  define: (command) => shownFlags(yesFlag(command.argument('<page>', 'its id, key, slug or name'))),
  parse: ([page], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    page: page ?? '',
    yes: isSet(flags, 'yes'),
  }),

  async run({ settings, page: word, yes, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const { findPage } = await import('./find.ts');
    const { id, name, url } = await findPage(client, word, signal);
    const what = `status page ${JSON.stringify(plain(name))} (${id})`;
    await confirm({ message: `Delete ${what} at ${plain(url)}?`, yes, next: 'add --yes to delete it' }, context);
    await client.statusPages.delete(id, { signal });
    if (quiet) io.print(id);
    else {
      io.say(`Deleted ${what}.`);
      await output(io, format, { id, name, deleted: true }, () => '');
    }
    return 'ok';
  },
});
