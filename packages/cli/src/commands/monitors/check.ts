import type { CheckResult } from '@uptime/sdk';
import { formatFlag } from '../../flags/output-flags.ts';
import { isSet } from '../../flags/raw-flags.ts';
import type { Io } from '../../io.ts';
import { monitors } from '../../nouns/monitors.ts';
import { output, pairs, plain } from '../../output.ts';
import { onOne } from '../../verbs/on-one.ts';

export const checkMonitor = onOne(monitors, {
  verb: 'check',
  summary: 'have the server check a monitor now; exits with 1 if the check fails',
  examples: ['monitors check shop', 'monitors check shop --explain'],
  flags: (command) => {
    command.option('--explain', 'show the steps of the check').option('-q, --quiet', 'print only the status');
  },
  output: formatFlag,
  read: (flags) => ({ explain: isSet(flags, 'explain') }),

  async run({ id }, { format, quiet, explain }, { client, signal, io }) {
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
  const text = pairs([
    ['status', status],
    ...(error ? [['error', `${error.code}: ${error.message}`] as const] : []),
    ['responseTime', responseTime === null ? '-' : `${Math.round(responseTime)} ms`],
    ...(phases.length > 0 ? [['phases', phases.join(', ')] as const] : []),
    ...(statusCode === null ? [] : [['statusCode', String(statusCode)] as const]),
    ['region', region],
    ['checkedAt', checkedAt],
  ]);
  const coloured = text.replace(/^(status:\s+)(.*)$/m, (_, title: string, word: string) => {
    return title + (status === 'up' ? io.out.green(word) : io.out.red(word));
  });
  const steps = explain ? trace.map(({ at, event }) => `${at.toFixed(0).padStart(6)} ms  ${plain(event)}`) : [];
  return [coloured, ...steps].join('\n');
}
