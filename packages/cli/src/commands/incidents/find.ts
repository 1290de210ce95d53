import { type Incident, NotFoundError, type Uptime } from '@uptime/sdk';
import { find } from '../../nouns/find.ts';

interface Among {
  signal: AbortSignal;
  /** Whether to find only maintenance windows. */
  windows?: boolean;
}

/**
 * Finds an incident by its id or exact title. If several have that title, finds the only one that is still open.
 * Throws a CliError if none or several match.
 */
export async function findIncident(
  client: Uptime,
  word: string,
  { signal, windows = false }: Among,
): Promise<Incident> {
  const fits = ({ maintenance }: Incident): boolean => maintenance || !windows;
  const all = async () => (await client.incidents.list({}, { signal })).filter(fits).map(named);
  const found = await find(word, {
    one: windows ? 'maintenance window' : 'incident',
    many: windows ? 'maintenance windows' : 'incidents',
    by: 'id or title',
    prefix: 'inc_',
    listing: windows ? 'maintenance list --all' : 'incidents list',
    async list({ key, name }) {
      if (key !== undefined) return [];
      const titled = (await all()).filter(({ title }) => name === undefined || title === name);
      const open = titled.filter(({ resolvedAt }) => resolvedAt === null);
      return name !== undefined && open.length === 1 ? open : titled;
    },
    async get(id) {
      const incident = await readIncident(client, id, signal);
      return incident && fits(incident) ? named(incident) : null;
    },
  });
  const { name: _, ...incident } = found;
  return incident;
}

const named = (incident: Incident) => ({ ...incident, name: incident.title });

async function readIncident(client: Uptime, id: string, signal: AbortSignal): Promise<Incident | null> {
  try {
    return await client.incidents.get(id, { signal });
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
