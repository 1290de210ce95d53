import type { StatusPage } from '@uptime/sdk';
import { type Column, output, table } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, settingFlags } from '../command.ts';
import { readShown, type Shown, shownFlags } from '../show.ts';

interface ListOptions extends Shown {
  settings: SettingFlags;
}

export const listPages = command<ListOptions>({
  path: 'pages list',
  summary: 'list the status pages of the project',
  examples: ['pages list', 'pages list -o json'],
  define: shownFlags,
  parse: (_args, flags) => ({ settings: settingFlags(flags), ...readShown(flags) }),

  async run({ settings, format, quiet }, { io, signal, connect }) {
    const client = await connect(settings);
    const pages = await client.statusPages.list({}, { signal });
    if (quiet) {
      if (pages.length > 0) io.print(pages.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (pages.length === 0) io.say('No status pages yet. `uptime pages create` makes one.');
    await output(io, format, pages, () => (pages.length === 0 ? '' : table(pages, columns)));
    return 'ok';
  },
});

const columns: readonly Column<StatusPage>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'MONITORS', value: ({ monitorIds }) => String(monitorIds.length) },
  { title: 'DOMAIN', value: ({ customDomain, domain }) => (customDomain ? `${customDomain}, ${domain?.status}` : '-') },
  { title: 'ID', value: ({ id }) => id },
  { title: 'ADDRESS', value: ({ url }) => url },
];
