import type { AlertRule } from '@uptime/sdk';
import { output } from '../../output.ts';
import { type ListColumn, listTable } from '../../list-table.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { fewNames } from '../../nouns/monitor-names.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { isWide, wideFlag } from '../../flags/output-flags.ts';
import type { Names } from './show.ts';

interface ListOptions extends Shown {
  settings: SettingFlags;
  wide: boolean;
}

export const listRules = command<ListOptions>({
  path: 'rules list',
  summary: 'list the alert rules with their triggers, monitors and channels',
  examples: ['rules list', 'rules list -o json'],
  define: (command) => shownFlags(wideFlag(command)),
  parse: (_args, flags) => ({ settings: settingFlags(flags), ...readShown(flags), wide: isWide(flags) }),

  async run({ settings, format, quiet, wide }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const rules = await client.alertRules.list({}, { signal });
    if (quiet) {
      if (rules.length > 0) io.print(rules.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (rules.length === 0) io.say('No alert rules yet. `uptime rules create` creates one.');
    const { readNames } = await import('./show.ts');
    const names = rules.length > 0 && format === 'table' ? await readNames(client, signal) : String;
    await output(io, format, rules, () => listTable(io, rules, columns(names), wide));
    return 'ok';
  },
});

const columns = (nameOf: Names): ListColumn<AlertRule>[] => [
  { title: 'NAME', value: ({ name }) => name, cut: true },
  { title: 'FIRES AT', value: trigger },
  { title: 'MONITORS', value: ({ monitorIds }) => fewNames(monitorIds.map(nameOf)), cut: true },
  { title: 'CHANNELS', value: ({ channelIds }) => fewNames(channelIds.map(nameOf)), cut: true },
  { title: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no') },
  { title: 'ID', value: ({ id }) => id, wide: true },
];

const trigger = ({ trigger: what, consecutiveFailures }: AlertRule): string =>
  consecutiveFailures > 1 ? `${what}, ${consecutiveFailures} in a row` : what;
