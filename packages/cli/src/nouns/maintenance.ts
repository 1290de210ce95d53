import type { Incident } from '@uptime/sdk';
import { isSet } from '../flags/raw-flags.ts';
import { timeColumn } from '../list-table.ts';
import { phaseOf } from '../kinds/phase.ts';
import { fewNames } from './few-names.ts';
import { findIncident, incidents } from './incidents.ts';
import type { Noun } from './noun.ts';

/** The noun for maintenance windows. In the API, they are incidents with a schedule. */
export const maintenance = {
  word: 'maintenance',
  one: 'maintenance window',
  many: 'maintenance windows',
  argument: ['window', 'its id or title'],

  find: (word, server): Promise<Incident> =>
    findIncident(word, maintenance, server, {
      listing: 'maintenance list --all',
      fits: (incident) => incident.maintenance,
    }),
  show: incidents.show,

  list: {
    summary: 'list the maintenance windows that are in force or scheduled',
    examples: ['maintenance list', 'maintenance list --all -o json'],
    flags: (command) => void command.option('--all', 'also list windows that are over'),
    choose(flags) {
      const all = isSet(flags, 'all');
      const now = Date.now();
      return {
        rows: (windows) => windows.filter((window) => all || phaseOf({ ...window }, now) !== 'over'),
        empty: () =>
          all
            ? 'No maintenance windows.'
            : 'No maintenance window is in force or scheduled; --all also lists past windows.',
      };
    },
    read: async ({ client, signal }) =>
      (await client.incidents.list({}, { signal }))
        .filter((incident) => incident.maintenance)
        .toSorted((a, b) => Date.parse(a.scheduledStart ?? '') - Date.parse(b.scheduledStart ?? '')),
    names: ['monitors'],
    columns: ({ paint, now, nameOf }) => [
      {
        title: 'STATE',
        value: (window) => phaseOf({ ...window }, now),
        colour: (window, text) => (phaseOf({ ...window }, now) === 'in force' ? paint.yellow(text) : text),
      },
      { title: 'TITLE', value: ({ title }) => title, cut: true },
      timeColumn('START', { read: ({ scheduledStart }) => scheduledStart, now }),
      timeColumn('END', { read: ({ scheduledEnd }) => scheduledEnd, now }),
      { title: 'MONITORS', value: ({ monitorIds }) => fewNames(monitorIds.map(nameOf)), cut: true },
      { title: 'ID', value: ({ id }) => id, wide: true },
    ],
  },
} as const satisfies Noun<Incident>;
