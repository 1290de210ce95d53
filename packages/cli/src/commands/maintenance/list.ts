import type { Incident } from '@uptime/sdk';
import type { ChalkInstance } from 'chalk';
import type { Phase } from '../../kinds/kind.ts';
import { output } from '../../output.ts';
import { type ListColumn, listTable, timeColumn } from '../../list-table.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { isWide, wideFlag } from '../../flags/output-flags.ts';

interface ListOptions extends Shown {
  settings: SettingFlags;
  all: boolean;
  wide: boolean;
}

export const listMaintenance = command<ListOptions>({
  path: 'maintenance list',
  summary: 'list the maintenance windows that are in force or scheduled',
  examples: ['maintenance list', 'maintenance list --all -o json'],
  define: (command) => shownFlags(wideFlag(command.option('--all', 'also list windows that are over'))),
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    all: isSet(flags, 'all'),
    wide: isWide(flags),
  }),

  async run({ settings, all, format, quiet, wide }, { io, signal, connect }) {
    const client = await connect(settings);
    const { fewNames, readMonitorNames } = await import('../../nouns/monitor-names.ts');
    const { phaseOf } = await import('../../kinds/maintenance-window.ts');
    const now = Date.now();
    const phase = (window: Incident): Phase => phaseOf({ ...window }, now);
    const windows = (await client.incidents.list({}, { signal }))
      .filter((incident) => incident.maintenance && (all || phase(incident) !== 'over'))
      .toSorted((a, b) => Date.parse(a.scheduledStart ?? '') - Date.parse(b.scheduledStart ?? ''));
    if (quiet) {
      if (windows.length > 0) io.print(windows.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (windows.length === 0) {
      io.say(
        all
          ? 'No maintenance windows.'
          : 'No maintenance window is in force or scheduled; --all also lists past windows.',
      );
    }
    const names = windows.length > 0 && format === 'table' ? await readMonitorNames(client, signal) : String;
    const monitorsOf = ({ monitorIds }: Incident) => fewNames(monitorIds.map(names));
    await output(io, format, windows, () => listTable(io, windows, columns(io.out, { phase, monitorsOf, now }), wide));
    return 'ok';
  },
});

interface Words {
  phase: (window: Incident) => Phase;
  monitorsOf: (window: Incident) => string;
  now: number;
}

const columns = (paint: ChalkInstance, { phase, monitorsOf, now }: Words): ListColumn<Incident>[] => [
  {
    title: 'STATE',
    value: phase,
    colour: (window, text) => (phase(window) === 'in force' ? paint.yellow(text) : text),
  },
  { title: 'TITLE', value: ({ title }) => title, cut: true },
  timeColumn('START', { read: ({ scheduledStart }) => scheduledStart, now }),
  timeColumn('END', { read: ({ scheduledEnd }) => scheduledEnd, now }),
  { title: 'MONITORS', value: monitorsOf, cut: true },
  { title: 'ID', value: ({ id }) => id, wide: true },
];
