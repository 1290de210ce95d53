import { output, pairs } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface ShowOptions extends Shown {
  settings: SettingFlags;
  alert: string;
}

export const showAlert = command<ShowOptions>({
  path: 'alerts show',
  summary: 'show one alert and each message about it',
  examples: ['alerts show nightly-backup', 'alerts show nightly-backup -o json'],
  define: (command) =>
    shownFlags(command.argument('<alert>', "its id; or a monitor's id, key or name, for its latest alert")),
  parse: ([alert], flags) => ({ settings: settingFlags(flags), ...readShown(flags), alert: alert ?? '' }),

  async run({ settings, alert: word, format, quiet }, { io, signal, connect }) {
    const client = await connect(settings);
    const { findAlert } = await import('./find.ts');
    const { deliveryTable } = await import('./delivery-table.ts');
    const alert = await findAlert(client, word, signal);
    if (quiet) {
      io.print(alert.id);
      return 'ok';
    }
    const deliveries = await client.alertHistory.deliveries({ alertId: alert.id }, { signal });
    await output(io, format, { ...alert, deliveries }, () => {
      const fields = pairs(Object.entries(alert).map(([field, value]) => [field, value ?? '-']));
      return deliveries.length === 0 ? fields : `${fields}\n\n${deliveryTable(deliveries, io)}`;
    });
    return 'ok';
  },
});
