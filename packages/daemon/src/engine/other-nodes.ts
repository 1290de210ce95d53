import { servingMs } from '../core/absence.ts';
import { rolesFromText, type ServingNode } from '../core/roles.ts';
import type { Store } from '../store/store.ts';

/**
 * Returns a time in epoch milliseconds. All pings that other nodes received before that time are recorded. Returns null
 * if no node accepts pings now. Returns Infinity if no other node accepts pings: then the caller has to wait only for
 * the pings of this node.
 */
export async function pingsRecordedUntil(store: Store, node: ServingNode, now: number): Promise<number | null> {
  const takesPings = node.roles.includes('api');
  if (store.dialect.exclusive) return Infinity;
  const others = await store.db
    .selectFrom('presence')
    .select(['alive_at', 'roles'])
    .where('instance', '!=', node.name)
    .where('ended_at', 'is', null)
    .where('alive_at', '>', now - servingMs)
    .execute();
  const signs = others.filter(({ roles }) => rolesFromText(roles).includes('api')).map(({ alive_at: at }) => at);
  if (signs.length === 0 && !takesPings) return null;
  return Math.min(...signs);
}
