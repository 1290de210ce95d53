import type { Metrics } from '@uptime/sdk';
import { InvalidArgumentError } from 'commander';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { plain } from '../output.ts';
import type { SettingFlags } from '../settings.ts';
import { command, isSet, settingFlags } from './command.ts';
import { whole } from './whole.ts';

interface PingOptions {
  settings: SettingFlags;
  /** Token, ping address, or a monitor's key or name. */
  to: string;
  metrics: Metrics | undefined;
  event: 'start' | 'fail' | number | undefined;
  /** Seconds. */
  retryFor: number;
}

export const ping = command<PingOptions>({
  path: 'ping',
  summary: 'report to a heartbeat monitor that a job ran; exits 0 only if that is recorded',
  examples: ['ping nightly-backup --metric rows=1200', 'ping nightly-backup --fail'],
  define: (command) => {
    command
      .argument('<to>', "the monitor's ping address or token; its key or name, with an API key")
      .option('-m, --metric <name=value>', 'a metric, number or text; may be repeated', metric)
      .option('--start', 'the job begins; the next ping gives its duration')
      .option('--fail', 'the job failed: the monitor goes down at once')
      .option('--exit-code <code>', 'exit code of the job: 0 is a success, 1 to 255 a failure', whole(0, 255))
      .option(
        '--retry-for <seconds>',
        'how long to try again where the network or the server fails',
        whole(0, 3600),
        30,
      );
  },
  parse: ([to], flags) => {
    const exitCode = flags['exitCode'] as number | undefined;
    const events = [isSet(flags, 'start'), isSet(flags, 'fail'), exitCode !== undefined];
    if (events.filter(Boolean).length > 1) {
      throw new CliError('--start, --fail and --exit-code exclude each other: give one', { exit: 'usage' });
    }
    return {
      settings: settingFlags(flags),
      to: to ?? '',
      metrics: flags['metric'] as Metrics | undefined,
      event: events[0] ? 'start' : events[1] ? 'fail' : exitCode,
      retryFor: flags['retryFor'] as number,
    };
  },

  async run({ settings, to, metrics, event, retryFor }, context) {
    const { Uptime, NotFoundError } = await import('@uptime/sdk');
    const { keepTrying } = await import('./keep-trying.ts');
    const address = /^https?:\/\//i.test(to);
    // A ping carries its own credential: the project's key stays here.
    const siteUrl = address ? undefined : context.settings(settings).siteUrl.value;
    const client = new Uptime({ apiKey: null, siteUrl, retries: 0, timeout: 10_000, fetch: context.fetch });
    const { signal, io } = context;
    const send = (where: string) => client.heartbeats.ping(where, { metrics, signal: event }, { signal });
    const patience = { seconds: retryFor, signal, say: (text: string) => io.say(text) };

    const mayBeToken = address || /^[A-Za-z0-9_-]{16,128}$/.test(to);
    let last: unknown = null;
    if (mayBeToken) {
      try {
        await keepTrying(() => send(to), patience);
        return 'ok';
      } catch (error) {
        if (!(error instanceof NotFoundError) || address) throw error;
        last = error;
      }
    }
    const url = await addressOf(to, settings, context, last);
    await keepTrying(() => send(url), patience);
    return 'ok';
  },
});

/** The ping address of a monitor that is named by key or name. */
async function addressOf(word: string, flags: SettingFlags, context: Context, last: unknown): Promise<string> {
  if (!context.settings(flags).apiKey) {
    const what = JSON.stringify(plain(word));
    throw new CliError(
      last ? `the server knows no ping token ${mask(word)}` : `${what} is neither a ping address nor a token`,
      { exit: last ? 'failed' : 'unauthorised', next: 'to ping by name, type `uptime login --api-key <key>` first' },
    );
  }
  const { findMonitor } = await import('./monitors/find.ts');
  const client = await context.connect(flags);
  const monitor = await findMonitor(client, word, context.signal);
  if (monitor.type === 'heartbeat') return monitor.pingUrl;
  throw new CliError(`${JSON.stringify(plain(monitor.name))} is of type ${monitor.type}: only a heartbeat takes pings`);
}

const mask = (token: string): string => `…${token.slice(-4)}`;

function metric(text: string, previous: Metrics | undefined): Metrics {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Expected name=value.');
  const number = /^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
  return { ...previous, [name]: Number.isFinite(number) ? number : value };
}
