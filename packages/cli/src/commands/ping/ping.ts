import type { Metrics, Ping } from '@uptime/sdk';
import { InvalidArgumentError } from 'commander';
import { CliError } from '../../exit.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { whole } from '../../flags/whole.ts';
import { readMetric } from './metric.ts';

interface PingOptions {
  settings: SettingFlags;
  /** The address for pings, its token, or a monitor's id, key or name. */
  to: string;
  ping: Ping;
  /** How long to retry. */
  retrySeconds: number;
}

export const defaultRetrySeconds = 30;

export const ping = command<PingOptions>({
  path: 'ping',
  summary: 'tell a heartbeat monitor that a job ran; exits with 0 only if the ping is recorded',
  examples: ['ping nightly-backup --metric rows=1200', 'ping nightly-backup --fail'],
  define: (command) => {
    command
      .argument('<to>', "the monitor's ping address or token; its key or name, with an API key")
      .option('-m, --metric <name=value>', 'a metric, number or text; may be repeated', metric)
      .option('--start', 'the job starts; its duration is the time until the next ping')
      .option('--fail', 'the job failed: the monitor goes down at once')
      .option('--exit-code <code>', 'exit code of the job: 0 is a success, 1 to 255 a failure', whole(0, 255))
      .option(
        '--retry-for <seconds>',
        'how long to retry if the network or the server fails',
        whole(0, 3600),
        defaultRetrySeconds,
      );
  },
  parse: ([to], flags) => {
    const exitCode = flags['exitCode'] as number | undefined;
    const events = [isSet(flags, 'start'), isSet(flags, 'fail'), exitCode !== undefined];
    if (events.filter(Boolean).length > 1) {
      throw new CliError('give only one of --start, --fail and --exit-code', { exit: 'usage' });
    }
    return {
      settings: settingFlags(flags),
      to: to ?? '',
      ping: {
        metrics: flags['metric'] as Metrics | undefined,
        signal: events[0] ? 'start' : events[1] ? 'fail' : exitCode,
      },
      retrySeconds: flags['retryFor'] as number,
    };
  },

  async run({ settings, to, ping, retrySeconds }, context) {
    const { createPinger } = await import('./pinger.ts');
    await createPinger(to, settings, context).send(ping, retrySeconds);
    return 'ok';
  },
});

function metric(text: string, previous: Metrics | undefined): Metrics {
  const entry = readMetric(text);
  if (!entry) throw new InvalidArgumentError('Expected name=value.');
  return { ...previous, [entry[0]]: entry[1] };
}
