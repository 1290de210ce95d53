import type { Incident } from '@uptime/sdk';
import type { ChalkInstance } from 'chalk';
import { output } from '../../output.ts';
import { type ListColumn, listTable, timeColumn } from '../../list-table.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { isWide, wideFlag } from '../../flags/output-flags.ts';

interface ListOptions extends Shown {
  settings: SettingFlags;
  open: boolean;
  wide: boolean;
}

export const listIncidents = command<ListOptions>({
  path: 'incidents list',
  summary: 'list incidents, open ones first, then the latest; for windows, see `maintenance list`',
  examples: ['incidents list --open', 'incidents list -o json'],
  define: (command) => shownFlags(wideFlag(command.option('--open', 'only incidents that are not resolved'))),
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    open: isSet(flags, 'open'),
    wide: isWide(flags),
  }),

  async run({ settings, open, format, quiet, wide }, { io, signal, connect }) {
    const client = await connect(settings);
    const { fewNames, readMonitorNames } = await import('../../nouns/monitor-names.ts');
    const incidents = (await client.incidents.list({}, { signal })).filter(({ maintenance }) => !maintenance);
    const shown = openFirst(open ? incidents.filter(isOpen) : incidents);
    if (quiet) {
      if (shown.length > 0) io.print(shown.map(({ id }) => id).join('\n'));
      return 'ok';
    }
    if (shown.length === 0)
      io.say(open ? 'No incident is open.' : 'No incidents. `uptime incidents create` creates one.');
    const names = shown.length > 0 && format === 'table' ? await readMonitorNames(client, signal) : String;
    const monitorsOf = ({ monitorIds }: Incident) => fewNames(monitorIds.map(names));
    await output(io, format, shown, () => listTable(io, shown, columns(io.out, { monitorsOf, now: Date.now() }), wide));
    return 'ok';
  },
});

const isOpen = ({ resolvedAt }: Incident): boolean => resolvedAt === null;

/** Sorts open incidents first, then the latest first; the server returns the oldest first. */
const openFirst = (incidents: readonly Incident[]): Incident[] =>
  incidents.toReversed().toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)));

interface Words {
  monitorsOf: (incident: Incident) => string;
  now: number;
}

const columns = (paint: ChalkInstance, { monitorsOf, now }: Words): ListColumn<Incident>[] => [
  {
    title: 'STATUS',
    value: ({ status }) => status,
    colour: (incident, text) => (isOpen(incident) ? paint.red(text) : text),
  },
  { title: 'TITLE', value: ({ title }) => title, cut: true },
  { title: 'MONITORS', value: monitorsOf, cut: true },
  timeColumn('STARTED', { read: ({ startedAt }) => startedAt, now }),
  timeColumn('RESOLVED', { read: ({ resolvedAt }) => resolvedAt, now }),
  { title: 'ID', value: ({ id }) => id, wide: true },
];
