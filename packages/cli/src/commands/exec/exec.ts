import type { Ping } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { defaultRetrySeconds } from '../ping/ping.ts';
import { whole } from '../../flags/whole.ts';
import { execForm } from './refuse-mixed-job.ts';

interface ExecOptions {
  settings: SettingFlags;
  /** The address for pings, its token, or a monitor's id, key or name. */
  to: string;
  program: string;
  args: readonly string[];
  /** How long to retry the report of the job's end. */
  retrySeconds: number;
}

export const exec = command<ExecOptions>({
  path: 'exec',
  summary: "run a job, and report its start and its exit code to a heartbeat monitor; exits with the job's code",
  examples: ['exec nightly-backup -- echo done', "exec nightly-backup -- sh -c 'exit 0'"],
  define: (command) => {
    command
      .argument('<to>', "the monitor's ping address or token; its key or name, with an API key")
      .argument('<command...>', 'the job and its arguments, after --')
      .option(
        '--retry-for <seconds>',
        'how long to retry reporting the end if the network or the server fails',
        whole(0, 3600),
        defaultRetrySeconds,
      )
      .showHelpAfterError(`  ${execForm}`);
  },
  parse: ([to, program, ...args], flags) => ({
    settings: settingFlags(flags),
    to: to ?? '',
    program: program ?? '',
    args: args.map(String),
    retrySeconds: flags['retryFor'] as number,
  }),

  // (1) Start the job, even if pings fail. (2) Report the start to the server while the job runs. (3) Report the end
  // after the job has ended. (4) Return the exit code of the job.
  async run({ settings, to, program, args, retrySeconds }, context) {
    const { runJob } = await import('./run-job.ts');
    const job = runJob(program, args, context);
    const report = reporter(to, settings, context);
    const started = report({ signal: 'start' }, 0, 'start');
    const exitCode = await job;
    await started;
    await report({ signal: exitCode }, retrySeconds, 'end');
    return exitCode;
  },
});

/**
 * Returns a function that sends a ping, and prints the reason if the ping is not recorded. The function never throws.
 */
function reporter(to: string, settings: SettingFlags, context: Context) {
  let last = '';
  const opening = import('../ping/pinger.ts').then(({ createPinger }) => createPinger(to, settings, context));
  return async (ping: Ping, retrySeconds: number, what: string): Promise<void> => {
    try {
      await (await opening).send(ping, retrySeconds);
    } catch (error) {
      const { explain } = await import('../../report.ts');
      const { message, next } = await explain(error, context);
      context.io.say(plain(`uptime: the job's ${what} was not reported: ${message}`));
      if (next && message !== last) context.io.say(`  ${next}`);
      last = message;
    }
  };
}
