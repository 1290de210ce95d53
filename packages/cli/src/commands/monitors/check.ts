import type { CheckResult } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { type Format, output, pairs, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';

interface CheckOptions {
  settings: SettingFlags;
  format: Format;
  monitor: string;
  quiet: boolean;
  explain: boolean;
}

export const checkMonitor = command<CheckOptions>({
  path: 'monitors check',
  summary: 'have the server check a monitor now; exits with 1 if the check fails',
  examples: ['monitors check shop', 'monitors check shop --explain'],
  define: (command) => {
    command
      .argument('<monitor>', 'its id, key or name')
      .option('--explain', 'show the steps of the check')
      .option('-q, --quiet', 'print only the status');
    formatFlag(command);
  },
  parse: ([monitor], flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    monitor: monitor ?? '',
    quiet: isSet(flags, 'quiet'),
    explain: isSet(flags, 'explain'),
  }),

  async run({ settings, format, monitor: word, quiet, explain }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const { findMonitor } = await import('./find.ts');
    const { id } = await findMonitor(client, word, signal);
    const result = await client.monitors.check(id, { signal });
    if (quiet) io.print(result.status);
    else await output(io, format, result, () => render(result, explain, io));
    return result.status === 'up' ? 'ok' : 'failed';
  },
});

function render(result: CheckResult, explain: boolean, io: Io): string {
  const { status, responseTime, statusCode, region, checkedAt, error, timings, trace } = result;
  const phases = Object.entries(timings ?? {}).flatMap(([phase, took]) =>
    took === null ? [] : `${phase} ${Math.round(took)} ms`,
  );
  const told = pairs([
    ['status', status],
    ...(error ? [['error', `${error.code}: ${error.message}`] as const] : []),
    ['responseTime', responseTime === null ? '-' : `${Math.round(responseTime)} ms`],
    ...(phases.length > 0 ? [['phases', phases.join(', ')] as const] : []),
    ...(statusCode === null ? [] : [['statusCode', String(statusCode)] as const]),
    ['region', region],
    ['checkedAt', checkedAt],
  ]);
  const coloured = told.replace(/^(status:\s+)(.*)$/m, (_, title: string, word: string) => {
    return title + (status === 'up' ? io.out.green(word) : io.out.red(word));
  });
  const steps = explain ? trace.map(({ at, event }) => `${at.toFixed(0).padStart(6)} ms  ${plain(event)}`) : [];
  return [coloured, ...steps].join('\n');
}
