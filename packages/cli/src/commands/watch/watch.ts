import { command } from '../../command.ts';
import { connect } from '../../connection.ts';
import { duration } from '../../flags/duration.ts';
import { listFlag, repeated, settingFlags } from '../../flags/raw-flags.ts';
import type { SettingFlags } from '../../settings.ts';

interface WatchOptions {
  settings: SettingFlags;
  labels: string[];
  everyMs: number;
  forMs: number | null;
}

export const watchMonitors = command<WatchOptions>({
  path: 'monitors watch',
  aliases: ['watch'],
  summary: 'show a live table with response times; without a terminal, print a line for each change of status',
  examples: ['watch', 'monitors watch --label team=ops --every 10s --for 8h'],
  define: (command) =>
    void command
      .option('--label <name=value>', 'only monitors with this label; may be repeated', repeated)
      .option('--every <time>', 'time between two reads of the server (default: 5s)', duration)
      .option('--for <time>', 'stop after this time (default: at Ctrl-C)', duration),
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    labels: listFlag(flags, 'label'),
    everyMs: (flags['every'] as number | undefined) ?? 5000,
    forMs: (flags['for'] as number | undefined) ?? null,
  }),

  async run({ settings, labels, everyMs, forMs }, context) {
    const { lookRepeatedly } = await import('./look-repeatedly.ts');
    const { systemClock: clock } = await import('../wait/wait-clock.ts');
    const { io } = context;
    const endMonoMs = forMs === null ? Infinity : clock.monotonicMs() + forMs;
    const { client } = await connect(settings, context);
    // If the reader of the pipe exits, as in `uptime watch | head -1`, the watch ends too.
    const closed = new AbortController();
    io.stdout.once('error', () => closed.abort());
    const server = { client, signal: AbortSignal.any([context.signal, closed.signal]) };
    const isScreen = io.stdout.isTTY === true && (io.stdout.columns ?? 0) > 0;
    const view = isScreen
      ? (await import('./screen.ts')).openScreen(io, server, Date.now)
      : (await import('./change-lines.ts')).createChangeLines(io, Date.now);
    try {
      await lookRepeatedly({ labels, everyMs, clock, endMonoMs }, view, server);
    } finally {
      view.close();
    }
    return context.signal.aborted ? 'interrupted' : 'ok';
  },
});
