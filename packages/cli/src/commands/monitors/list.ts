import type { Monitor } from '@uptime/sdk';
import { type Column, type Format, output, table } from '../../output.ts';
import { withoutSecrets } from '../../plan/secrets.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, isSet, settingFlags } from '../command.ts';
import { quietFormatFlag, readFormat } from '../format-flag.ts';
import { allMonitors } from './all.ts';
import { statusColour } from './status-colour.ts';
import { target } from './target.ts';

interface ListOptions {
  settings: SettingFlags;
  format: Format;
  quiet: boolean;
}

export const listMonitors = command<ListOptions>({
  path: 'monitors list',
  summary: 'list the monitors of the project',
  examples: ['monitors list', 'monitors list -o json'],
  define: quietFormatFlag,
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
  }),

  async run({ settings, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const monitors = await allMonitors(client, signal);
    if (quiet) {
      if (monitors.length > 0) io.print(monitors.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (monitors.length === 0) io.say('No monitors yet. `uptime apply -f monitors.yaml` makes some.');
    await output(io, format, monitors.map(withoutSecrets), () =>
      monitors.length === 0 ? '' : table(monitors, columns(io.out)),
    );
    return 'ok';
  },
});

const columns = (paint: Parameters<typeof statusColour>[0]): Column<Monitor>[] => [
  {
    title: 'STATUS',
    value: ({ status, pausedReason }) => (pausedReason ? `${status} (${pausedReason})` : status),
    colour: ({ status }, text) => statusColour(paint, status)(text),
  },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'TARGET', value: target },
  { title: 'EVERY', value: ({ interval }) => `${interval} s` },
  {
    title: 'CHECKED',
    value: (monitor) => (monitor.type === 'heartbeat' ? monitor.lastPingAt : monitor.lastCheckedAt) ?? 'never',
  },
  { title: 'ID', value: ({ id }) => id },
];
