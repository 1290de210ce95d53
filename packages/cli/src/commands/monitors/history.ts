import { Option } from 'commander';
import { CliError } from '../../exit.ts';
import { type Format, output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, isSet, settingFlags, textFlag } from '../command.ts';
import { formatFlag, readFormat } from '../format-flag.ts';

const views = ['changes', 'days', 'checks', 'pings'] as const;
export type View = (typeof views)[number];

interface HistoryOptions {
  settings: SettingFlags;
  format: Format;
  monitor: string;
  view: View;
  /** UTC dates, both inclusive. */
  range: { from?: string; to?: string };
  quiet: boolean;
}

export const monitorHistory = command<HistoryOptions>({
  path: 'monitors history',
  summary: "show a monitor's past: changes of status, days, checks or pings",
  examples: ['monitors history nightly-backup', 'monitors history nightly-backup --of days --from 2026-01-01'],
  define: (command) => {
    command
      .argument('<monitor>', 'its id, key or name')
      .addOption(new Option('--of <what>', 'what to show').choices(views).default('changes'))
      .option(
        '--from <date>',
        'first UTC day, YYYY-MM-DD (default: 30 days of changes, 90 days, 7 of checks and pings)',
      )
      .option('--to <date>', 'last UTC day, inclusive (default: today)')
      .option('-q, --quiet', 'print no titles');
    formatFlag(command);
  },
  parse: ([monitor], flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    monitor: monitor ?? '',
    view: views.find((view) => view === flags['of']) ?? 'changes',
    range: { ...dateOf('from', textFlag(flags, 'from')), ...dateOf('to', textFlag(flags, 'to')) },
    quiet: isSet(flags, 'quiet'),
  }),

  async run({ settings, format, monitor: word, view, range, quiet }, { io, signal, connect }) {
    const client = await connect(settings);
    const { findMonitor } = await import('./find.ts');
    const { readHistory } = await import('./read-history.ts');
    const { id } = await findMonitor(client, word, signal);
    const { rows, render } = await readHistory(client, id, { view, range, signal });
    if (rows.length === 0) io.say('Nothing in this time.');
    await output(io, format, rows, () => {
      const text = rows.length === 0 ? '' : render();
      return quiet ? text.split('\n').slice(1).join('\n') : text;
    });
    return 'ok';
  },
});

function dateOf(flag: 'from' | 'to', text: string | undefined) {
  if (text === undefined) return {};
  const real = /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text);
  if (real) return { [flag]: text };
  throw new CliError(`--${flag} must be a calendar date, such as 2026-01-31`, { exit: 'usage' });
}
