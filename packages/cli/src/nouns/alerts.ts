import type { Alert } from '@uptime/sdk';
import { rangeFlags, readRange } from '../flags/range-flags.ts';
import { isSet, textFlag } from '../flags/raw-flags.ts';
import { output, pairs } from '../output.ts';
import type { Noun } from './noun.ts';
import { openFirst } from './open-first.ts';

export const alerts = {
  word: 'alerts',
  one: 'alert',
  many: 'alerts',
  argument: ['alert', "its id; or a monitor's id, key or name, for its latest alert"],

  find: async (word, server) => (await import('./alerts/find-alert.ts')).findAlert(word, server),
  async show(alert, { format, quiet }, { io, client, signal }) {
    if (quiet) return io.print(alert.id);
    const { deliveryTable } = await import('./alerts/delivery-table.ts');
    const { showValue } = await import('./show-resource.ts');
    const deliveries = await client.alertHistory.deliveries({ alertId: alert.id }, { signal });
    await output(io, format, { ...alert, deliveries }, () => {
      const fields = pairs(Object.entries(alert).map(([field, value]) => [field, showValue(value)]));
      return deliveries.length === 0 ? fields : `${fields}\n\n${deliveryTable(deliveries, io)}`;
    });
  },

  list: {
    summary: 'list alerts, open ones first, then the latest; on a terminal, one line per outage',
    examples: ['alerts list --open', 'alerts list --monitor nightly-backup --from 2026-01-01'],
    flags: (command) =>
      void command
        .option('--open', 'only open alerts, however long ago they opened')
        .option('--monitor <monitor>', 'only alerts about this monitor: its id, key or name'),
    moreFlags: (command) => void rangeFlags(command, '30 days'),
    choose(flags) {
      const range = readRange(flags);
      const open = isSet(flags, 'open');
      const monitor = textFlag(flags, 'monitor');
      return {
        async read(server) {
          // An alert that opened long ago may still be open. So `--open` reads all alerts, not only those of the last
          // 30 days.
          const whole = open && range.from === undefined ? { from: '1970-01-01', ...range } : range;
          const all = await server.client.alertHistory.list(whole, { signal: server.signal });
          return monitor === undefined ? all : (await import('./alerts/find-alert.ts')).ofMonitor(all, monitor, server);
        },
        rows: (all) => openFirst(all, { open }),
        empty: () => (open ? 'No alert is open.' : 'No alerts in this period.'),
      };
    },
    read: ({ client, signal }) => client.alertHistory.list({}, { signal }),
    columns: ({ paint }) => [
      {
        title: 'STATE',
        value: ({ resolvedAt }) => (resolvedAt === null ? 'open' : 'resolved'),
        colour: ({ resolvedAt }, text) => (resolvedAt === null ? paint.red(text) : text),
      },
      { title: 'FIRED', value: ({ triggeredAt }) => triggeredAt },
      { title: 'RESOLVED', value: ({ resolvedAt }) => resolvedAt ?? '-' },
      { title: 'TYPE', value: ({ type }) => type },
      { title: 'MONITOR', value: ({ monitorName }) => monitorName },
      { title: 'CHANNEL', value: ({ channelName }) => channelName },
      { title: 'ALARM', value: ({ deliveryStatus }) => deliveryStatus },
      { title: 'ID', value: ({ id }) => id },
    ],
    onTerminal: async (rows, wide, connection) =>
      (await import('./alerts/outage-table.ts')).outageTable(rows, wide, connection),
  },
  get: {
    verb: 'show',
    summary: 'show one alert and each message about it',
    examples: ['alerts show nightly-backup', 'alerts show nightly-backup -o json'],
  },
} as const satisfies Noun<Alert>;
