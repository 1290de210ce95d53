import type { AlertRule } from '@uptime/sdk';
import { type Column, output, table } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, settingFlags } from '../command.ts';
import { fewNames } from '../monitor-names.ts';
import { readShown, type Shown, shownFlags } from '../show.ts';
import type { Names } from './show.ts';

interface ListOptions extends Shown {
  settings: SettingFlags;
}

export const listRules = command<ListOptions>({
  path: 'rules list',
  summary: 'list the alert rules of the project: what fires them, and who is told',
  examples: ['rules list', 'rules list -o json'],
  define: shownFlags,
  parse: (_args, flags) => ({ settings: settingFlags(flags), ...readShown(flags) }),

  async run({ settings, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const rules = await client.alertRules.list({}, { signal });
    if (quiet) {
      if (rules.length > 0) io.print(rules.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (rules.length === 0) io.say('No alert rules yet. `uptime rules create` makes one.');
    const { readNames } = await import('./show.ts');
    const names = rules.length > 0 && format === 'table' ? await readNames(client, signal) : String;
    await output(io, format, rules, () => (rules.length === 0 ? '' : table(rules, columns(names))));
    return 'ok';
  },
});

const columns = (nameOf: Names): Column<AlertRule>[] => [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'FIRES AT', value: trigger },
  { title: 'MONITORS', value: ({ monitorIds }) => fewNames(monitorIds.map(nameOf)) },
  { title: 'CHANNELS', value: ({ channelIds }) => fewNames(channelIds.map(nameOf)) },
  { title: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no') },
  { title: 'ID', value: ({ id }) => id },
];

const trigger = ({ trigger: what, consecutiveFailures }: AlertRule): string =>
  consecutiveFailures > 1 ? `${what}, ${consecutiveFailures} in a row` : what;
