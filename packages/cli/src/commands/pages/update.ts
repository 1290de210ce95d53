import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { listFlag, repeated, settingFlags } from '../../flags/raw-flags.ts';
import { fieldFlags, readFields, withUnset } from '../../flags/field-flags.ts';
import { monitorsFlag, readMonitors } from '../../flags/reference-flags.ts';
import { refuseNothing } from '../../flags/refuse-faults.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { pageFlags } from '../../nouns/flags/pages.ts';

interface UpdateOptions extends Shown {
  settings: SettingFlags;
  page: string;
  patch: Record<string, unknown>;
  monitors: string[] | undefined;
}

export const updatePage = command<UpdateOptions>({
  path: 'pages update',
  summary: 'change fields of a status page; other fields stay unchanged',
  examples: ['pages update shop --monitors nightly-backup,shop', 'pages update shop --unset custom-domain'],
  define: (command) => {
    command.argument('<page>', 'its id, key, slug or name');
    fieldFlags(command, pageFlags);
    monitorsFlag(command, 'monitors on the page, in this order');
    command.option('--unset <field>', "restore a field's default; may be repeated", repeated);
    shownFlags(command);
  },
  parse: ([page], flags) => {
    const patch = withUnset(readFields(flags, pageFlags), listFlag(flags, 'unset'), pageFlags);
    const monitors = readMonitors(flags);
    refuseNothing({ ...patch, ...(monitors && { monitors }) }, 'pages update', '--monitors shop');
    return { settings: settingFlags(flags), ...readShown(flags), page: page ?? '', patch, monitors };
  },

  async run({ settings, page: word, patch: typed, monitors, ...shown }, { io, signal, connect }) {
    const { asPatch } = await import('./validate-fields.ts');
    const { resolveMonitors } = await import('../../nouns/resolve-ids.ts');
    const { findPage } = await import('./find.ts');
    const { showPage } = await import('./show.ts');
    const patch = asPatch(typed);
    const client = await connect(settings);
    const { id } = await findPage(client, word, signal);
    const of = await resolveMonitors(monitors, { client, signal });
    const page = await client.statusPages.update(id, { ...patch, ...of }, { signal });
    await showPage(io, page, shown, { client, signal });
    return 'ok';
  },
});
