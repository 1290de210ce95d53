import { Option } from 'commander';
import { type Format, output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';
import { type Range, rangeFlags, readRange } from '../../flags/range-flags.ts';

const views = ['changes', 'days', 'checks', 'pings'] as const;
export type View = (typeof views)[number];

interface HistoryOptions {
  settings: SettingFlags;
  format: Format;
  monitor: string;
  view: View;
  range: Range;
  quiet: boolean;
}

export const monitorHistory = command<HistoryOptions>({
  path: 'monitors history',
  summary: "show a monitor's history: changes of status, days, checks or pings",
  examples: ['monitors history nightly-backup', 'monitors history nightly-backup --of days --from 2026-01-01'],
  define: (command) => {
    command
      .argument('<monitor>', 'its id, key or name')
      .addOption(new Option('--of <what>', 'what to show').choices(views).default('changes'));
    rangeFlags(command, '30 days of changes, 90 days of uptime, 7 days of checks and pings').option(
      '-q, --quiet',
      'print no titles',
    );
    formatFlag(command);
  },
  parse: ([monitor], flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    monitor: monitor ?? '',
    view: views.find((view) => view === flags['of']) ?? 'changes',
    range: readRange(flags),
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
      const text = rows.length === 0 ? '' : render(io);
      return quiet ? text.split('\n').slice(1).join('\n') : text;
    });
    return 'ok';
  },
});
