import type { StatusPage } from '@uptime/sdk';
import { output } from '../../output.ts';
import { type ListColumn, listTable } from '../../list-table.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { isWide, wideFlag } from '../../flags/output-flags.ts';

interface ListOptions extends Shown {
  settings: SettingFlags;
  wide: boolean;
}

export const listPages = command<ListOptions>({
  path: 'pages list',
  summary: 'list the status pages of the project',
  examples: ['pages list', 'pages list -o json'],
  define: (command) => shownFlags(wideFlag(command)),
  parse: (_args, flags) => ({ settings: settingFlags(flags), ...readShown(flags), wide: isWide(flags) }),

  async run({ settings, format, quiet, wide }, { io, signal, connect }) {
    const client = await connect(settings);
    const pages = await client.statusPages.list({}, { signal });
    if (quiet) {
      if (pages.length > 0) io.print(pages.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (pages.length === 0) io.say('No status pages yet. `uptime pages create` creates one.');
    await output(io, format, pages, () => listTable(io, pages, columns, wide));
    return 'ok';
  },
});

const columns: readonly ListColumn<StatusPage>[] = [
  { title: 'NAME', value: ({ name }) => name, cut: true },
  { title: 'SLUG', value: ({ slug }) => slug, cut: true },
  { title: 'MONITORS', value: ({ monitorIds }) => String(monitorIds.length) },
  { title: 'DOMAIN', value: ({ customDomain, domain }) => (customDomain ? `${customDomain}, ${domain?.status}` : '-') },
  { title: 'ID', value: ({ id }) => id, wide: true },
  { title: 'ADDRESS', value: ({ url }) => url, cut: true },
];
