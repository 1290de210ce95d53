import type { Alert } from '@uptime/sdk';
import type { ChalkInstance } from 'chalk';
import { output } from '../../output.ts';
import { type Column, table } from '../../table.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags, textFlag } from '../../flags/raw-flags.ts';
import { type Range, rangeFlags, readRange } from '../../flags/range-flags.ts';
import { isWide, wideFlag } from '../../flags/output-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface ListOptions extends Shown {
  settings: SettingFlags;
  range: Range;
  open: boolean;
  monitor: string | undefined;
  wide: boolean;
}

export const listAlerts = command<ListOptions>({
  path: 'alerts list',
  summary: 'list alerts, open ones first, then the latest; a terminal shows one line per outage',
  examples: ['alerts list --open', 'alerts list --monitor nightly-backup --from 2026-01-01'],
  define: (command) => {
    command
      .option('--open', 'only open alerts, whenever they fired')
      .option('--monitor <monitor>', 'only alerts about this monitor: its id, key or name');
    shownFlags(rangeFlags(wideFlag(command), '30 days'));
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    range: readRange(flags),
    open: isSet(flags, 'open'),
    monitor: textFlag(flags, 'monitor'),
    wide: isWide(flags),
  }),

  async run({ settings, range, open, monitor, wide, format, quiet }, { io, signal, connect }) {
    const client = await connect(settings);
    // An alert that fired long ago may still be open.
    const whole = open && range.from === undefined ? { from: '1970-01-01', ...range } : range;
    let alerts = await client.alertHistory.list(whole, { signal });
    if (monitor !== undefined) {
      const { ofMonitor } = await import('./find.ts');
      alerts = await ofMonitor(alerts, monitor, client, signal);
    }
    const shown = openFirst(open ? alerts.filter(isOpen) : alerts);
    if (quiet) {
      if (shown.length > 0) io.print(shown.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (shown.length === 0) io.say(open ? 'No alert is open.' : 'No alerts in this time.');
    if (format === 'table' && io.stdout.isTTY) {
      const { outageTable } = await import('./outage-table.ts');
      if (shown.length > 0) io.print(await outageTable(shown, io, wide, { client, signal }));
    } else await output(io, format, shown, () => (shown.length === 0 ? '' : table(shown, columns(io.out))));
    return 'ok';
  },
});

const isOpen = ({ resolvedAt }: Alert): boolean => resolvedAt === null;

/** Sorts open alerts first, then the latest first; the server returns the oldest first. */
const openFirst = (alerts: readonly Alert[]): Alert[] =>
  alerts.toReversed().toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)));

const columns = (paint: ChalkInstance): Column<Alert>[] => [
  {
    title: 'STATE',
    value: (alert) => (isOpen(alert) ? 'open' : 'resolved'),
    colour: (alert, text) => (isOpen(alert) ? paint.red(text) : text),
  },
  { title: 'FIRED', value: ({ triggeredAt }) => triggeredAt },
  { title: 'RESOLVED', value: ({ resolvedAt }) => resolvedAt ?? '-' },
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'MONITOR', value: ({ monitorName }) => monitorName },
  { title: 'CHANNEL', value: ({ channelName }) => channelName },
  { title: 'ALARM', value: ({ deliveryStatus }) => deliveryStatus },
  { title: 'ID', value: ({ id }) => id },
];
