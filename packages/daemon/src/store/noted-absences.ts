import type { Transaction } from 'kysely';
import { type Absences, goneAfterMs, joinEach, noAbsences, type NotedAbsences } from '../core/absence.ts';
import { rolesFromText } from '../core/roles.ts';
import type { Tables } from './tables.ts';

/** Reads the latest absences that any node has noted, and the regions that nodes check from, or checked from last. */
export async function readAbsences(db: Pick<Transaction<Tables>, 'selectFrom'>): Promise<Absences> {
  const rows = await db
    .selectFrom('presence')
    .select(['region', 'roles', 'alive_at', 'ended_at', 'absences'])
    .execute();
  const probes = await db
    .selectFrom('probe')
    // `seen_at` of a probe that has left is earlier than its last call.
    .select(['region', (column) => column.fn.max(column.fn.coalesce('left_at', 'seen_at')).as('seenAt')])
    .groupBy('region')
    .execute();
  const probesSeenAt = new Map(probes.map(({ region, seenAt }) => [region, seenAt]));
  // A node may be stopped, and its region is still its own. But a probe that was seen later has taken over the region.
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
