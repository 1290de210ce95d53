import type { Stats } from '@uptime/sdk';
import { formatFlag } from '../../flags/output-flags.ts';
import { monitors } from '../../nouns/monitors.ts';
import { output, pairs } from '../../output.ts';
import { onOne } from '../../verbs/on-one.ts';

export const monitorStats = onOne(monitors, {
  verb: 'stats',
  summary: 'show uptime and response times of a monitor',
  examples: ['monitors stats nightly-backup', 'monitors stats nightly-backup -o json'],
  flags: (command) => void command.option('-q, --quiet', 'print only the uptime of 30 days, in percent'),
  output: formatFlag,

  async run({ id }, { format, quiet }, { client, signal, io }) {
    const stats = await client.monitors.stats(id, { signal });
    if (quiet) io.print(stats.uptime30d === null ? '-' : String(stats.uptime30d));
    else await output(io, format, stats, () => render(stats));
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

// Rounds down, so that the output never shows 99.9999 % as 100 %.
const percent = (value: number | null): string =>
  value === null ? 'not observed' : `${Math.floor(value * 1000) / 1000} %`;

const milliseconds = (value: number | null | undefined): string => (value == null ? '-' : `${Math.round(value)} ms`);
