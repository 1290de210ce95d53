import { command } from '../../command.ts';
import { connect } from '../../connection.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';
import { isSet, listFlag, repeated, settingFlags } from '../../flags/raw-flags.ts';
import { chooseMonitors } from '../../nouns/monitors/filter-monitors.ts';
import { allMonitors } from '../../nouns/monitors.ts';
import { type Format, output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';

interface StatusOptions {
  settings: SettingFlags;
  format: Format;
  quiet: boolean;
  labels: string[];
}

export const showStatus = command<StatusOptions>({
  path: 'monitors status',
  aliases: ['status'],
  summary: 'show what needs attention on one screen; exits with 1 if a monitor is down',
  examples: ['status', 'monitors status --label team=ops -o json'],
  define(command) {
    command.option('--label <name=value>', 'only monitors with this label; may be repeated', repeated);
    formatFlag(command);
    command.option('-q, --quiet', 'print only the names of monitors that are down');
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    format: readFormat(flags),
    quiet: isSet(flags, 'quiet'),
    labels: listFlag(flags, 'label'),
  }),

  async run({ settings, format, quiet, labels }, context) {
    const { io } = context;
    const { readOverview } = await import('./read-overview.ts');
    const { renderOverview } = await import('./render-overview.ts');
    const { warnOfUnreadable } = await import('../../nouns/monitors/warn-of-unreadable.ts');
    const connection = await connect(settings, context);
    const { rows, empty } = chooseMonitors({ label: labels });
    const now = Date.now();
    let all: Awaited<ReturnType<typeof allMonitors>> = [];
    const read = async () => {
      all = await allMonitors(connection);
      return rows?.(all, false) ?? all;
    };
    const { monitors, overview } = await readOverview(read, connection, now);
    if (quiet) overview.down.forEach(({ name }) => io.print(plain(name)));
    else await output(io, format, overview, () => renderOverview(overview, io, now));
    if (monitors.length === 0 && empty && !quiet) io.say(empty(all));
    for (const warning of warnOfUnreadable(monitors)) io.say(`${io.err.yellow('warning:')} ${warning}`);
    return overview.counts.down > 0 ? 'failed' : 'ok';
  },
});
