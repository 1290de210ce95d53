import type { Incident, Uptime } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { maintenanceRunForm } from '../exec/refuse-mixed-job.ts';
import { duration } from '../../flags/duration.ts';
import { readWindow, type WindowFields, windowFlags } from './window-flags.ts';

interface RunOptions {
  settings: SettingFlags;
  window: WindowFields;
  maxMs: number;
  anyway: boolean;
  program: string;
  args: readonly string[];
}

export const runInMaintenance = command<RunOptions>({
  path: 'maintenance run',
  summary:
    "run a command in a maintenance window, which ends with the command, or at --max; exits with the command's code",
  examples: [
    'maintenance run --monitors shop --max 15m -- echo deploying',
    "maintenance run --monitors shop,nightly-backup --max 1h --title 'Database move' -- sh -c 'exit 0'",
  ],
  define: (command) => {
    windowFlags(command.argument('<command...>', 'the command and its arguments, after --'));
    command
      .requiredOption('--max <time>', 'when the window ends, even if the command still runs: 15m, 1h30m', duration)
      .option('--anyway', 'run the command even if no window can be opened')
      .showHelpAfterError(`  ${maintenanceRunForm}`);
  },
  parse: ([program, ...args], flags) => ({
    settings: settingFlags(flags),
    window: readWindow(flags, 'maintenance run'),
    maxMs: flags['max'] as number,
    anyway: isSet(flags, 'anyway'),
    program: program ?? '',
    args: args.map(String),
  }),

  // (1) Open the window; if that fails, do not run the command. (2) Run the command, and pass signals on to it. (3)
  // Close the window, however the command ended. (4) Return the exit code of the command.
  async run(options, context) {
    const { runJob } = await import('../exec/run-job.ts');
    const opened = await open(options, context);
    if (context.signal.aborted) {
      await opened?.close();
      context.io.say('uptime: interrupted before the command started; nothing was run');
      return 'interrupted';
    }
    const exitCode = await runJob(options.program, options.args, context);
    await opened?.close();
    return exitCode;
  },
});

interface Opened {
  /** Closes the window. Never throws. */
  close: () => Promise<void>;
}

/** Opens the window. If that fails, returns null if `--anyway` was given, and throws a CliError otherwise. */
async function open(options: RunOptions, context: Context): Promise<Opened | null> {
  const { settings, window, maxMs, anyway } = options;
  const { io } = context;
  try {
    const { windowInput } = await import('./window-input.ts');
    const { openWindow } = await import('./open-window.ts');
    const { input, connection } = await windowInput(window, { command: 'maintenance run' }, settings, context);
    const { client } = connection;
    // This request ignores signals, because an interrupted request could leave a window that nothing closes. The
    // start of the window is the time before the request (`Date.now()` below). So the time for `endMonoMs` is also read
    // before the request.
    const endMonoMs = performance.now() + maxMs;
    const opened = await openWindow(client, input, maxMs, Date.now());
    return { close: () => close(opened, { client, endMonoMs, context }) };
  } catch (error) {
    const { explain } = await import('../../report.ts');
    const { message, next, exit } = await explain(error, context);
    if (exit === 'interrupted') throw error;
    if (!anyway) {
      const how = next
        ? `${next}; or add --anyway to run the command without a window`
        : 'add --anyway to run the command without a window';
      throw new CliError(`no maintenance window was opened, so nothing was run: ${message}`, {
        exit,
        next: how,
        cause: error,
      });
    }
    io.say(`uptime: no maintenance window was opened: ${message}`);
    return null;
  }
}

const closeRetryMs = 60_000;
/** Closes the window, and retries while the server does not answer. If that fails, prints when the window ends. */
async function close(
  { id, scheduledEnd }: Incident,
  { client, endMonoMs, context }: { client: Uptime; endMonoMs: number; context: Context },
): Promise<void> {
  const { io } = context;
  const leftMs = endMonoMs - performance.now();
  if (leftMs <= 0) return io.say(`uptime: the maintenance window ended at ${scheduledEnd}, before the command did`);
  const { NotFoundError } = await import('@uptime/sdk');
  const { keepTrying } = await import('../ping/keep-trying.ts');
  const say = (text: string) => io.say(plain(`uptime: the end of the maintenance window is ${text}`));
  try {
    await keepTrying(() => client.incidents.update(id, { status: 'resolved' }, { retries: 0, timeout: 10_000 }), {
      seconds: Math.min(leftMs, closeRetryMs) / 1000,
      signal: new AbortController().signal,
      say,
    });
  } catch (error) {
    // Someone deleted the window while the command ran.
    if (error instanceof NotFoundError) return;
    const { explain } = await import('../../report.ts');
    const { message } = await explain(error, context);
    io.say(`uptime: the maintenance window was not closed; it lasts until ${scheduledEnd}: ${message}`);
  }
}
