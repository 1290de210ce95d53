import type { Transaction } from 'kysely';
import { type Absences, goneAfterMs, joinEach, noAbsences, type NotedAbsences } from '../core/absence.ts';
import { rolesFromText } from '../core/roles.ts';
import type { Tables } from './tables.ts';

/** Reads the latest absences that any node has noted, and the regions from which nodes check or last checked. */
export async function readAbsences(db: Pick<Transaction<Tables>, 'selectFrom'>): Promise<Absences> {
  const rows = await db
    .selectFrom('presence')
    .select(['region', 'roles', 'alive_at', 'ended_at', 'absences'])
    .execute();
  const probes = await db
    .selectFrom('probe')
    // When a probe leaves, its last call sets `left_at` to the time of the call. This call also sets `seen_at` to an
    // earlier time, so that the probe counts as silent at once.
    .select(['region', (column) => column.fn.max(column.fn.coalesce('left_at', 'seen_at')).as('seenAt')])
    .groupBy('region')
    .execute();
  const probesSeenAt = new Map(probes.map(({ region, seenAt }) => [region, seenAt]));
  // A stopped node keeps its region. But if a probe of the region was seen later, the probe has taken the region over.
  const checkers = rows.filter(
    ({ region, roles, alive_at: aliveAt, ended_at: endedAt }) =>
      rolesFromText(roles).includes('checker') && (probesSeenAt.get(region) ?? 0) <= (endedAt ?? aliveAt + goneAfterMs),
  );
  return {
    ...joinEach(rows.map(({ absences }) => parseAbsences(absences))),
    daemonRegions: new Set(checkers.map(({ region }) => region)),
  };
}

/** Parses the column `absences` of a node. */
export const parseAbsences = (text: string): NotedAbsences => {
  const { receiving, checking } = { ...noAbsences, ...(JSON.parse(text) as Partial<NotedAbsences>) };
  return { receiving, checking };
};
