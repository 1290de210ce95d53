import type { Delivery } from '@uptime/sdk';
import { Option } from 'commander';
import { output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { isWide, wideFlag } from '../../flags/output-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

const statuses: readonly Delivery['status'][] = ['pending', 'sent', 'failed'];

interface DeliveriesOptions extends Shown {
  settings: SettingFlags;
  alert: string | undefined;
  status: Delivery['status'] | undefined;
  wide: boolean;
}

export const listDeliveries = command<DeliveriesOptions>({
  path: 'alerts deliveries',
  summary: 'list the messages about alerts, oldest first, with the answers of their receivers',
  examples: ['alerts deliveries nightly-backup', 'alerts deliveries --status failed'],
  define: (command) => {
    command
      .argument('[alert]', "an alert's id; or a monitor's id, key or name, for its latest alert")
      .addOption(new Option('--status <status>', 'only messages in this status').choices(statuses));
    shownFlags(wideFlag(command));
  },
  parse: ([alert], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    alert,
    wide: isWide(flags),
    status: statuses.find((status) => status === flags['status']),
  }),

  async run({ settings, alert: word, status, format, quiet, wide }, { io, signal, connect }) {
    const client = await connect(settings);
    const { findAlert } = await import('../../nouns/alerts/find-alert.ts');
    const { deliveryTable } = await import('../../nouns/alerts/delivery-table.ts');
    const alertId = word === undefined ? undefined : (await findAlert(word, { client, signal })).id;
    const query = { ...(alertId !== undefined && { alertId }), ...(status && { status }) };
    const deliveries = await client.alertHistory.deliveries(query, { signal });
    if (quiet) {
      if (deliveries.length > 0) io.print(deliveries.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (deliveries.length === 0) io.say('No messages.');
    await output(io, format, deliveries, () => deliveryTable(deliveries, io, wide));
    return 'ok';
  },
});
