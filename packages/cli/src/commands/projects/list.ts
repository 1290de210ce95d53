import type { Project } from '@uptime/sdk';
import { type Column, type Format, output, table } from '../../output.ts';
import { maskKey, type SettingFlags } from '../../settings.ts';
import { command, isSet, settingFlags } from '../command.ts';
import { quietFormatFlag, readFormat } from '../format-flag.ts';
import { withoutKey } from './show.ts';

interface ListOptions {
  settings: SettingFlags;
  format: Format;
  quiet: boolean;
}

export const listProjects = command<ListOptions>({
  path: 'projects list',
  summary: 'list the projects of your account',
  examples: ['projects list', 'projects list -o json'],
  define: quietFormatFlag,
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
  }),

  async run({ settings, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connectAccount(settings);
    const projects = await client.projects.list({}, { signal });
    if (quiet) {
      if (projects.length > 0) io.print(projects.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (projects.length === 0) io.say('No projects yet. `uptime projects create --name <name> --use` makes one.');
    const inUse = context.settings(settings).apiKey?.value;
    await output(io, format, projects.map(withoutKey), () =>
      projects.length === 0 ? '' : table(projects, columns(inUse)),
    );
    return 'ok';
  },
});

const columns = (inUse: string | undefined): Column<Project>[] => [
  { title: 'IN USE', value: ({ apiKey }) => (apiKey === inUse ? '*' : '') },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'KEY', value: ({ apiKey }) => maskKey(apiKey) },
  { title: 'CREATED', value: ({ createdAt }) => createdAt },
  { title: 'ID', value: ({ id }) => id },
];
