import type { Project } from '@uptime/sdk';
import { type Format, output } from '../../output.ts';
import { type ListColumn, listTable, timeColumn } from '../../list-table.ts';
import { type SettingFlags } from '../../settings.ts';
import { maskKey } from '../../secrets.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { shownFlags, readFormat } from '../../flags/output-flags.ts';
import { isWide, wideFlag } from '../../flags/output-flags.ts';
import { withoutKey } from './show.ts';

interface ListOptions {
  settings: SettingFlags;
  format: Format;
  quiet: boolean;
  wide: boolean;
}

export const listProjects = command<ListOptions>({
  path: 'projects list',
  summary: 'list the projects of your account',
  examples: ['projects list', 'projects list -o json'],
  define: (command) => shownFlags(wideFlag(command)),
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
    wide: isWide(flags),
  }),

  async run({ settings, format, quiet, wide }, context) {
    const { io, signal } = context;
    const client = await context.connectAccount(settings);
    const projects = await client.projects.list({}, { signal });
    if (quiet) {
      if (projects.length > 0) io.print(projects.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (projects.length === 0) io.say('No projects yet. `uptime projects create --name <name> --use` creates one.');
    const inUse = context.settings(settings).apiKey?.value;
    await output(io, format, projects.map(withoutKey), () => listTable(io, projects, columns(inUse, Date.now()), wide));
    return 'ok';
  },
});

const columns = (inUse: string | undefined, now: number): ListColumn<Project>[] => [
  { title: 'IN USE', value: ({ apiKey }) => (apiKey === inUse ? '*' : '') },
  { title: 'NAME', value: ({ name }) => name, cut: true },
  { title: 'KEY', value: ({ apiKey }) => maskKey(apiKey) },
  timeColumn('CREATED', { read: ({ createdAt }) => createdAt, now }),
  { title: 'ID', value: ({ id }) => id, wide: true },
];
