import type { Incident, IncidentInput, Uptime } from '@uptime/sdk';
import { manifest, scheduleFaults, validate } from '@uptime/sdk/contract';
import { besidesDefaults } from './besides-defaults.ts';
import { type Collection, type Compare, type Fields, fieldsOf, type Kind, type Remote } from './kind.ts';
import { phaseOf } from './phase.ts';

const schema = manifest.shape.maintenance.unwrap().element;

/** The kind for maintenance windows. A window has no key. Its title and its start identify it. */
export const maintenanceWindow: Kind = {
  name: 'maintenanceWindow',
  list: 'maintenance',
  one: 'maintenance window',
  many: 'maintenance windows',
  collection,
  validate(given) {
    const checked = validate(schema, given);
    if (!checked.ok) return checked;
    const faults = scheduleFaults({ ...checked.value, maintenance: true });
    if (faults.length > 0) return { ok: false, faults };
    return { ok: true, value: { ...checked.value, key: null, name: checked.value.title } };
  },
  references: { monitors: { kind: 'monitor', ids: 'monitorIds', ordered: false } },
  compare: {
    scheduledStart: (from, to, of) => asInstant(from, to, of),
    scheduledEnd: (from, to, of) => asInstant(from, to, of),
    // An apply sends the message only when it creates the window, so the message is not compared later. Later messages
    // of a window are updates of its timeline.
    message: () => [],
  },
  identity: ({ name, scheduledStart }) => `${String(name)} ${Date.parse(String(scheduledStart))}`,
  phase: phaseOf,
  isSecret: () => false,
  write(remote, nameOf) {
    const fields = fieldsOf(remote);
    const monitors = (fields['monitorIds'] as string[]).map(nameOf);
    return besidesDefaults(schema.shape, { ...fields, monitors, message: announcement(fields) });
  },
};

const asInstant: Compare = (from, to) =>
  Date.parse(String(from)) === Date.parse(String(to)) ? [] : [{ at: [], from, to }];

/** Returns the message that the window was created with. */
function announcement({ updates, createdAt }: Fields): string {
  const first = (updates as Incident['updates']).find((update) => update.createdAt === createdAt);
  return first?.message ?? '';
}

/** Returns the SDK's methods for windows. In the API, windows are incidents of the project. */
function collection({ incidents }: Uptime): Collection {
  return {
    async *iterate(query, options) {
      for await (const incident of incidents.iterate(query, options)) if (incident.maintenance) yield named(incident);
    },
    create: async (input) => named(await incidents.create({ ...(input as Fields & IncidentInput), maintenance: true })),
    update: async (id, patch) => named(await incidents.update(id, patch)),
    delete: (id) => incidents.delete(id),
  };
}

const named = (incident: Incident): Remote => ({ ...incident, name: incident.title });
