import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface GetOptions extends Shown {
  settings: SettingFlags;
  page: string;
}

export const getPage = command<GetOptions>({
  path: 'pages get',
  summary: 'show one status page with its address and the state of its domain',
  examples: ['pages get shop', 'pages get shop -o yaml'],
  define: (command) => shownFlags(command.argument('<page>', 'its id, key, slug or name')),
  parse: ([page], flags) => ({ settings: settingFlags(flags), ...readShown(flags), page: page ?? '' }),

  async run({ settings, page: word, ...shown }, { io, signal, connect }) {
    const client = await connect(settings);
    const { findPage } = await import('./find.ts');
    const { showPage } = await import('./show.ts');
    await showPage(io, await findPage(client, word, signal), shown, { client, signal });
    return 'ok';
  },
});
