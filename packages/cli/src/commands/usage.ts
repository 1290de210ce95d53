import type { Usage } from '@uptime/sdk';
import { CliError } from '../exit.ts';
import { type ListColumn, listTable } from '../list-table.ts';
import { type Format, output, pairs } from '../output.ts';
import type { SettingFlags } from '../settings.ts';
import { amountOf, readUsage, type UsedLimit, wordsOf } from '../usage/read-usage.ts';
import { command } from '../command.ts';
import { settingFlags } from '../flags/raw-flags.ts';
import { formatFlag, readFormat } from '../flags/output-flags.ts';

interface UsageOptions {
  settings: SettingFlags;
  format: Format;
}

export const showUsage = command<UsageOptions>({
  path: 'usage',
  summary: 'show what the project uses of each limit of its plan',
  examples: ['usage', 'usage -o json'],
  define: formatFlag,
  parse: (_args, flags) => ({ settings: settingFlags(flags), format: readFormat(flags) }),

  async run({ settings, format }, context) {
    const { io, signal } = context;
    const usage = await readUsage(await context.connect(settings), signal);
    if (!usage) throw new CliError('this server does not report the use of limits', { next: 'update the server' });
    await output(io, format, usage, () => [summary(usage), listTable(io, usage.limits, columns)].join('\n\n'));
    return 'ok';
  },
});

const summary = ({ plan, checks, messages }: Usage): string =>
  pairs([
    ['plan', plan ?? 'without limits'],
    ['checks', `${checks.perMinute} a minute, ${checks.underWay} under way, ${checks.waiting} waiting`],
    ['mails', daily(messages.mails)],
    ['SMS and calls', daily(messages.calls)],
  ]);

/** Describes the use of a daily limit. */
const daily = ({ used, limit }: Usage['messages']['mails']): string =>
  limit === null ? 'without a limit' : `${used} of ${limit} a day`;

const columns: readonly ListColumn<UsedLimit>[] = [
  { title: 'NAME', value: wordsOf },
  { title: 'SCOPE', value: ({ scope }) => scope },
  { title: 'USED', value: (of) => amountOf(of, of.used) },
  { title: 'LIMIT', value: (of) => (of.limit === null ? '-' : amountOf(of, of.limit)) },
  { title: '', value: bar, terminal: true },
];

const barWidth = 10;

/** Draws the used share of a limit as a bar. Returns an empty text if there is no limit. */
function bar({ used, limit }: UsedLimit): string {
  if (limit === null) return '';
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const full = Math.round(share * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${Math.round(share * 100)} %`;
}
