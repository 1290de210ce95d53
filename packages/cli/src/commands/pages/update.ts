import type { SettingFlags } from '../../settings.ts';
import { command, listFlag, repeated, settingFlags } from '../command.ts';
import { fieldFlags, readFields, withUnset } from '../field-flags.ts';
import { monitorsFlag, readMonitors } from '../monitors-flag.ts';
import { refuseNothing } from '../refuse-nothing.ts';
import { readShown, type Shown, shownFlags } from '../show.ts';
import { pageFlags } from './flags.ts';

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
    const { resolveMonitors } = await import('../resolve-ids.ts');
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
