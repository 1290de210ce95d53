import type { Uptime } from '@uptime/sdk';
import { CliError } from '../../exit.ts';
import { output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface RedeliverOptions extends Shown {
  settings: SettingFlags;
  delivery: string;
}

export const redeliver = command<RedeliverOptions>({
  path: 'alerts redeliver',
  summary: 'send a message again, with the same delivery id',
  examples: ['alerts redeliver nightly-backup', 'alerts redeliver nightly-backup --quiet'],
  define: (command) =>
    shownFlags(
      command.argument(
        '<delivery>',
        "a delivery's id; or an alert's id, or a monitor's id, key or name, for its latest message",
      ),
    ),
  parse: ([delivery], flags) => ({ settings: settingFlags(flags), ...readShown(flags), delivery: delivery ?? '' }),

  async run({ settings, delivery: word, format, quiet }, { io, signal, connect }) {
    const client = await connect(settings);
    const id = word.startsWith('dlv_') ? word : await latestOf(word, client, signal);
    const delivery = await client.alertHistory.redeliver(id, { signal });
    if (quiet) io.print(delivery.id);
    else {
      const { kind, monitorName, channelName } = delivery;
      io.say(`The ${kind} about ${plain(monitorName)} is sent to ${plain(channelName)} again.`);
      await output(io, format, delivery, () => '');
    }
    return 'ok';
  },
});

async function latestOf(word: string, client: Uptime, signal: AbortSignal): Promise<string> {
  const { findAlert } = await import('../../nouns/alerts/find-alert.ts');
  const alert = await findAlert(word, { client, signal });
  const latest = (await client.alertHistory.deliveries({ alertId: alert.id }, { signal })).at(-1);
  if (latest) return latest.id;
  throw new CliError(`there is no message about alert ${alert.id}`);
}
