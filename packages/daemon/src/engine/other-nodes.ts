import { servingMs } from '../core/absence.ts';
import { rolesFromText, type ServingNode, unservedRoles } from '../core/roles.ts';
import type { Store } from '../store/store.ts';

/** A node without a sign of life for this time has left its roles. */
const goneAfterMs = 10_000;

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

/** A warning for each role that no node of the installation has now. */
export async function warnOfUnservedRoles(store: Store, now: number): Promise<string[]> {
  if (store.dialect.exclusive) return [];
  const nodes = await store.db
    .selectFrom('presence')
    .select('roles')
    .where('ended_at', 'is', null)
    .where('alive_at', '>', now - goneAfterMs)
    .execute();
  return unservedRoles(nodes.map(({ roles }) => ({ roles: rolesFromText(roles) })));
}
