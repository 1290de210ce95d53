import type { Monitor, MonitorStatus } from '@uptime/sdk';
import { Option } from 'commander';
import { type Format, output } from '../../output.ts';
import { withoutSecrets } from '../../secrets.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, listFlag, repeated, settingFlags } from '../../flags/raw-flags.ts';
import { shownFlags, readFormat } from '../../flags/output-flags.ts';
import { whole } from '../../flags/whole.ts';
import { isWide, wideFlag } from '../../flags/output-flags.ts';
import { allMonitors } from './all.ts';
import { monitorFlags } from '../../nouns/flags/monitors.ts';

interface ListOptions extends Filter {
  settings: SettingFlags;
  format: Format;
  quiet: boolean;
  wide: boolean;
  limit: number | undefined;
}

interface Filter {
  status: string | undefined;
  type: string | undefined;
  /** `name`, or `name=value`. */
  labels: string[];
}

/** In the order of a list on a terminal, most urgent first. */
const statuses: readonly MonitorStatus[] = ['down', 'pending', 'up', 'paused'];
const types = monitorFlags.find(({ field }) => field === 'type')?.choices ?? [];

export const listMonitors = command<ListOptions>({
  path: 'monitors list',
  aliases: ['ls'],
  summary: 'list the monitors; on a terminal, those that are down come first',
  examples: ['monitors list --status down', 'ls --label team=ops -o json'],
  define: (command) => {
    command
      .addOption(new Option('--status <status>', 'only monitors in this status').choices(statuses))
      .addOption(new Option('--type <type>', 'only monitors of this type').choices(types))
      .option(
        '--label <name=value>',
        'only monitors with this label, or with any value of `name`; may be repeated',
        repeated,
      )
      .option('--limit <n>', 'list at most this many', whole(1, 1_000_000));
    shownFlags(wideFlag(command));
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
    wide: isWide(flags),
    status: statuses.find((status) => status === flags['status']),
    type: types.find((type) => type === flags['type']),
    labels: listFlag(flags, 'label'),
    limit: flags['limit'] as number | undefined,
  }),

  async run({ settings, format, quiet, wide, limit, ...filter }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const all = await allMonitors(client, signal);
    const fitting = all.filter((monitor) => fits(monitor, filter));
    const isTerminal = format === 'table' && !quiet && io.stdout.isTTY === true;
    const shown = (isTerminal ? downFirst(fitting) : fitting).slice(0, limit);
    if (quiet) {
      if (shown.length > 0) io.print(shown.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (all.length === 0) io.say('No monitors yet. `uptime init` writes a first manifest, `uptime apply` applies it.');
    else if (shown.length === 0) io.say(`None of ${all.length} monitors matches.`);
    const { listTable } = await import('../../list-table.ts');
    const { monitorColumns } = await import('./columns.ts');
    await output(io, format, shown.map(withoutSecrets), () =>
      listTable(io, shown, monitorColumns(io.out, Date.now()), wide),
    );
    if (isTerminal && shown.length < fitting.length) {
      io.say(`${shown.length} of ${fitting.length} monitors are shown; --limit ${fitting.length} shows all.`);
    }
    return 'ok';
  },
});

function fits(monitor: Monitor, { status, type, labels }: Filter): boolean {
  if (status !== undefined && monitor.status !== status) return false;
  if (type !== undefined && monitor.type !== type) return false;
  return labels.every((label) => {
    const [, name = label, value] = /^([^=]*)=(.*)$/s.exec(label) ?? [];
    const own = Object.hasOwn(monitor.labels, name) ? monitor.labels[name] : undefined;
    return own !== undefined && (value === undefined || own === value);
  });
}

const downFirst = (monitors: readonly Monitor[]): Monitor[] =>
  monitors.toSorted((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status));
