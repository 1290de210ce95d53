import type { Stats } from '@uptime/sdk';
import { type Format, output, pairs } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';

interface StatsOptions {
  settings: SettingFlags;
  format: Format;
  monitor: string;
  quiet: boolean;
}

export const monitorStats = command<StatsOptions>({
  path: 'monitors stats',
  summary: 'show uptime and response times of a monitor',
  examples: ['monitors stats nightly-backup', 'monitors stats nightly-backup -o json'],
  define: (command) => {
    command
      .argument('<monitor>', 'its id, key or name')
      .option('-q, --quiet', 'print only the uptime of 30 days, in percent');
    formatFlag(command);
  },
  parse: ([monitor], flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    monitor: monitor ?? '',
    quiet: isSet(flags, 'quiet'),
  }),

  async run({ settings, format, monitor: word, quiet }, { io, signal, connect }) {
    const client = await connect(settings);
    const { findMonitor } = await import('./find.ts');
    const { id } = await findMonitor(client, word, signal);
    const stats = await client.monitors.stats(id, { signal });
    if (quiet) io.print(stats.uptime30d === null ? '-' : String(stats.uptime30d));
    else await output(io, format, stats, () => render(stats));
    return 'ok';
  },
});

const render = (stats: Stats): string =>
  pairs([
    ['status', stats.status],
    ['uptime 24 h', percent(stats.uptime24h)],
    ['uptime 7 d', percent(stats.uptime7d)],
    ['uptime 30 d', percent(stats.uptime30d)],
    ['response time', milliseconds(stats.avgResponseTime)],
    ['95th percentile', milliseconds(stats.p95ResponseTime)],
    ['last checked', stats.lastCheckedAt ?? 'never'],
  ]);

// Rounds down, so that 99.9999 % never shows as 100 %.
const percent = (value: number | null): string =>
  value === null ? 'not observed' : `${Math.floor(value * 1000) / 1000} %`;

const milliseconds = (value: number | null | undefined): string => (value == null ? '-' : `${Math.round(value)} ms`);
