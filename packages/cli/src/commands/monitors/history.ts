import { Option } from 'commander';
import { CliError } from '../../exit.ts';
import { formatFlag } from '../../flags/output-flags.ts';
import { textFlag } from '../../flags/raw-flags.ts';
import { rangeFlags, readRange } from '../../flags/range-flags.ts';
import { monitors } from '../../nouns/monitors.ts';
import { output } from '../../output.ts';
import { onOne } from '../../verbs/on-one.ts';

const views = ['changes', 'days', 'checks', 'pings'] as const;
export type View = (typeof views)[number];

export const monitorHistory = onOne(monitors, {
  verb: 'history',
  summary: "show a monitor's history: changes of status, days, checks or pings",
  examples: ['monitors history nightly-backup', 'monitors history nightly-backup --of days --from 2026-01-01'],
  flags: (command) => {
    command.addOption(new Option('--of <what>', 'what to show').choices(views).default('changes'));
    command.option('--region <name>', 'only checks from this region');
    rangeFlags(command, '30 days of changes, 90 days of uptime, 7 days of checks and pings').option(
      '-q, --quiet',
      'print no titles',
    );
  },
  output: formatFlag,
  read(flags) {
    const view = views.find((one) => one === flags['of']) ?? 'changes';
    const region = textFlag(flags, 'region');
    if (region !== undefined && view !== 'checks')
      throw new CliError('--region needs --of checks, because only checks have a region', { exit: 'usage' });
    return { view, range: readRange(flags), ...(region !== undefined && { region }) };
  },

  async run({ id }, { format, quiet, view, range, region }, { client, signal, io }) {
    const { readHistory } = await import('./read-history.ts');
    const { rows, render } = await readHistory(client, id, { view, range, region, signal });
    if (rows.length === 0) io.say('Nothing in this period.');
    await output(io, format, rows, () => {
      const text = rows.length === 0 ? '' : render(io);
      return quiet ? text.split('\n').slice(1).join('\n') : text;
    });
  },
});
