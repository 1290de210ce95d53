import { servingMs } from '../core/absence.ts';
import { rolesFromText, type ServingNode } from '../core/roles.ts';
import { readAbsences } from '../store/noted-absences.ts';
import type { Store } from '../store/store.ts';

/**
 * Returns a time in epoch milliseconds. All pings that other nodes received before that time are recorded. Returns null
 * if no node accepts pings now. Returns Infinity if no other node accepts pings: then the caller has to wait only for
 * the pings of this node.
 */
export async function pingsRecordedUntil(store: Store, node: ServingNode, now: number): Promise<number | null> {
  const takesPings = node.roles.includes('api');
  if (store.dialect.exclusive) return Infinity;
  const others = await otherApiNodes(store, node.name, now);
  if (others.length === 0 && !takesPings) return null;
  return Math.min(...others.map(({ alive_at: at }) => at));
}

/**
 * Returns the time since which the other running nodes with the role `api` have received results, in epoch
 * milliseconds: since the first of them started, or since the latest absence. Returns `now` if no such node runs.
 */
export async function servedSince(store: Store, instance: string, now: number): Promise<number> {
  const others = await otherApiNodes(store, instance, now);
  const latest = (await readAbsences(store.db)).receiving.at(-1)?.to ?? 0;
  const since = others.map(({ started_at: startedAt }) => Math.max(startedAt, latest));
  return Math.min(now, ...since);
}

/** Returns the signs of life of the other nodes that serve the API now. */
async function otherApiNodes(store: Store, instance: string, now: number) {
  const others = await store.db
    .selectFrom('presence')
    .select(['alive_at', 'started_at', 'roles'])
    .where('instance', '!=', instance)
    .where('ended_at', 'is', null)
    .where('alive_at', '>', now - servingMs)
    .execute();
  return others.filter(({ roles }) => rolesFromText(roles).includes('api'));
}
