import { servingMs } from '../core/absence.ts';
import { rolesFromText, type ServingNode } from '../core/roles.ts';
import type { Store } from '../store/store.ts';

/**
 * All pings that any node received before this time are recorded, in epoch milliseconds. Null if no node accepts pings
 * now. Infinity if only this node accepts pings, because it knows its own pings.
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
