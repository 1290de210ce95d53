import type { Incident } from '@uptime/sdk';
import type { Server } from '../connection.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { isSet } from '../flags/raw-flags.ts';
import { monitorsFlag, readMonitors } from '../flags/reference-flags.ts';
import { timeColumn } from '../list-table.ts';
import { plain } from '../output.ts';
import { fewNames } from './few-names.ts';
import { incidentFlags } from '../flags/fields/incidents.ts';
import type { Noun, NounWords } from './noun.ts';
import { openFirst } from './open-first.ts';

export const incidents = {
  word: 'incidents',
  one: 'incident',
  many: 'incidents',
  argument: ['incident', 'its id or title'],

  find: (word, server): Promise<Incident> => findIncident(word, incidents, server, { fits: () => true }),
  show: async (incident, shown, connection) =>
    (await import('./incidents/show-incident.ts')).showIncident(incident, shown, connection),
  calls: ({ incidents }) => incidents,
  fields: {
    flags: incidentFlags,
    declare(command, isNew) {
      fieldFlags(command, incidentFlags, isNew);
      monitorsFlag(command, 'affected monitors');
    },
    members: (flags) => ({ monitors: readMonitors(flags) }),
    rules: async () => (await import('../kinds/incident.ts')).incidentRules,
  },

  list: {
    summary: 'list incidents, open ones first, then the latest; for windows, see `maintenance list`',
    examples: ['incidents list --open', 'incidents list -o json'],
    flags: (command) => void command.option('--open', 'only incidents that are not resolved'),
    choose(flags) {
      const open = isSet(flags, 'open');
      return {
        rows: (all) => openFirst(all, { open }),
        empty: () => (open ? 'No incident is open.' : 'No incidents. `uptime incidents create` creates one.'),
      };
    },
    read: async ({ client, signal }) =>
      (await client.incidents.list({}, { signal })).filter(({ maintenance }) => !maintenance),
    names: ['monitors'],
    columns: ({ paint, now, nameOf }) => [
      {
        title: 'STATUS',
        value: ({ status }) => status,
        colour: ({ resolvedAt }, text) => (resolvedAt === null ? paint.red(text) : text),
      },
      { title: 'TITLE', value: ({ title }) => title, cut: true },
      { title: 'MONITORS', value: ({ monitorIds }) => fewNames(monitorIds.map(nameOf)), cut: true },
      timeColumn('STARTED', { read: ({ startedAt }) => startedAt, now }),
      timeColumn('RESOLVED', { read: ({ resolvedAt }) => resolvedAt, now }),
      { title: 'ID', value: ({ id }) => id, wide: true },
    ],
  },
  get: {
    summary: 'show one incident, or one maintenance window, with its timeline',
    examples: ["incidents get 'Checkout is slow'", "incidents get 'Checkout is slow' -o yaml"],
  },
  create: {
    summary: 'open an incident; the status pages of its monitors show it',
    examples: [
      "incidents create --title 'Checkout is slow' --monitors shop",
      "incidents create --title 'Checkout is slow' --monitors shop --status identified --message 'A cable is cut.'",
    ],
    async before({ fields, members }, typed, ids, connection) {
      if (!connection.io.interactive) return;
      const wasPrompted =
        fields['title'] !== typed.fields['title'] ||
        fields['message'] !== typed.fields['message'] ||
        members.monitors !== typed.members.monitors;
      const { showAudience } = await import('../prompts/show-audience.ts');
      await showAudience(ids, wasPrompted, connection);
    },
  },
  update: {
    summary: 'change an incident, or add a status or a message to its timeline',
    examples: [
      "incidents update 'Checkout is slow' --status monitoring --message 'A fix is out.'",
      "incidents update 'Checkout is slow' --monitors shop,nightly-backup",
    ],
    such: '--status monitoring',
    withoutUnset: true,
  },
  delete: {
    summary: 'delete an incident or a maintenance window; it disappears from the status pages',
    examples: ["incidents delete 'Checkout is slow' --yes", "incidents delete 'Checkout is slow' --yes --quiet"],
    subject: ({ id, title, maintenance }) =>
      `${maintenance ? 'maintenance window' : 'incident'} ${JSON.stringify(plain(title))} (${id})`,
    printed: ({ id, title }) => ({ id, title }),
  },
} as const satisfies Noun<Incident>;

interface Among {
  /** The command that lists these incidents. Default: `list` of the noun. */
  listing?: string;
  /** Whether an incident belongs to this noun. `incidents` and `maintenance` use the same resource of the API. */
  fits: (incident: Incident) => boolean;
}

/**
 * Returns the incident with this id or exact title. If several have the title, and exactly one of them is still open,
 * returns that one.
 */
export async function findIncident(
  word: string,
  noun: NounWords,
  { client, signal }: Server,
  { fits, ...listing }: Among,
): Promise<Incident> {
  const { find } = await import('./find.ts');
  const named = (incident: Incident) => ({ ...incident, name: incident.title });
  const { name: _, ...incident } = await find(word, noun, {
    ...listing,
    by: 'id or title',
    prefix: 'inc_',
    keyless: true,
    list: async () => (await client.incidents.list({}, { signal })).filter(fits).map(named),
    async get(id) {
      const incident = await client.incidents.get(id, { signal });
      return fits(incident) ? named(incident) : null;
    },
    prefer(titled) {
      const open = titled.filter(({ resolvedAt }) => resolvedAt === null);
      return open.length === 1 ? open : titled;
    },
  });
  return incident;
}
