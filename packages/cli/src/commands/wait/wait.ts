import type { Monitor } from '@uptime/sdk';
import { Option } from 'commander';
import { command } from '../../command.ts';
import { connect, type Connection } from '../../connection.ts';
import { CliError, type ExitName } from '../../exit.ts';
import { duration as durationFlag } from '../../flags/duration.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';
import { isSet, listFlag, repeated, settingFlags } from '../../flags/raw-flags.ts';
import { whole } from '../../flags/whole.ts';
import { type Format, output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { duration } from '../../times.ts';
import type { Chosen } from './choose-monitors.ts';
import type { Goal, Waiting } from './gate.ts';

interface WaitOptions {
  settings: SettingFlags;
  format: Format;
  chosen: Chosen;
  goal: Goal;
  timeoutMs: number;
}

export const waitForMonitors = command<WaitOptions>({
  path: 'monitors wait',
  aliases: ['wait'],
  summary:
    'wait until monitors are up, or down; exits with 6 at the time-out, with 7 if a monitor is deleted or paused',
  examples: ['monitors wait shop --until up --confirm 3 --timeout 10m', 'monitors wait shop --output json'],
  define(command) {
    command
      .argument('[monitors...]', 'their ids, keys or names')
      .addOption(new Option('--until <status>', 'the status to wait for').choices(['up', 'down']).default('up'))
      .option('--label <name=value>', 'all monitors with this label; may be repeated', repeated)
      .option('--all', 'all monitors of the project; paused ones are left out')
      .option(
        '--confirm <n>',
        'how many new results in a row must confirm the status; 0 accepts the present status',
        whole(0, 100),
        1,
      )
      .addOption(
        new Option('--timeout <time>', 'how long to wait at most, such as 90s, 5m or 1h')
          .argParser(durationFlag)
          .default(300_000, '5m'),
      );
    formatFlag(command);
  },
  parse: (words, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    chosen: { words: words.map(String), labels: listFlag(flags, 'label'), all: isSet(flags, 'all') },
    goal: { until: flags['until'] === 'down' ? 'down' : 'up', confirm: flags['confirm'] as number },
    timeoutMs: flags['timeout'] as number,
  }),

  async run({ settings, format, chosen, goal, timeoutMs }, context) {
    const { readChosen, refuseUnclear } = await import('./choose-monitors.ts');
    refuseUnclear(chosen);
    const { waitUntil } = await import('./wait-until.ts');
    const { systemClock: clock } = await import('./wait-clock.ts');
    const begunMonoMs = clock.monotonicMs();
    const connection = await connect(settings, context);
    const monitors = await readChosen(chosen, connection);
    const { waiting, outcome } = await waitUntil(
      monitors,
      goal,
      { endMonoMs: begunMonoMs + timeoutMs, clock },
      connection,
    );
    const tookMs = clock.monotonicMs() - begunMonoMs;
    const data = { until: goal.until, outcome, monitors: waiting };
    await output(context.io, format, data, () => '');
    if (outcome !== 'reached') throw await failure(waiting, { goal, outcome, tookMs }, connection);
    context.io.say(`${counted(waiting)} ${goal.until} after ${duration(tookMs)}.`);
    return 'ok';
  },
});

const counted = ({ length }: readonly Waiting[]): string =>
  length === 1 ? 'The monitor is' : `${length} monitors are`;

const exits = { gone: 'gone', paused: 'gone', 'timed-out': 'timedOut' } as const satisfies Record<string, ExitName>;
/** The error of a failed wait names at most this many monitors. */
const maxNamed = 10;

/** Returns the error of a failed wait. It names the monitors without the wanted status, with reasons. */
async function failure(
  waiting: readonly Waiting[],
  { goal, outcome, tookMs }: { goal: Goal; outcome: keyof typeof exits; tookMs: number },
  connection: Connection,
): Promise<CliError> {
  const { stateText } = await import('./progress.ts');
  const missed = waiting.filter(({ status, reached }) => (outcome === 'timed-out' ? !reached : status === outcome));
  const reasons = await readReasons(missed.slice(0, maxNamed), goal, connection);
  const lines = missed.slice(0, maxNamed).map((one) => `  ${stateText(one, goal)}${reasons.get(one.id) ?? ''}`);
  if (missed.length > maxNamed) lines.push(`  and ${missed.length - maxNamed} more`);
  const verb = missed.length === 1 ? 'monitor is' : 'monitors are';
  const title =
    outcome === 'timed-out'
      ? `${missed.length} of ${waiting.length} ${verb} not ${goal.until} after ${duration(tookMs)}:`
      : `${missed.length} ${missed.length === 1 ? 'monitor was' : 'monitors were'} ${outcome === 'gone' ? 'deleted' : 'paused'} meanwhile:`;
  return new CliError([title, ...lines].join('\n'), {
    exit: exits[outcome],
    next: '`uptime monitors history <monitor>` shows its changes of status; `uptime status` shows all monitors that are down',
  });
}

/** Reads why monitors are down, if the wait was for `up`. If a read fails, the reason of its monitor is left out. */
async function readReasons(missed: readonly Waiting[], { until }: Goal, { client, signal }: Connection) {
  const { readDownTime } = await import('../../nouns/monitors/read-down-time.ts');
  const { UptimeError } = await import('@uptime/sdk');
  const down = missed.filter(({ status }) => until === 'up' && status === ('down' satisfies Monitor['status']));
  const read = async ({ id }: Waiting) => {
    try {
      const found = await readDownTime(client, id, { signal });
      return [id, found ? `: ${found.reason}` : ''] as const;
    } catch (error) {
      if (error instanceof UptimeError) return [id, ''] as const;
      throw error;
    }
  };
  return new Map(await Promise.all(down.map(read)));
}
