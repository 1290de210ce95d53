import { unservedAfterMs } from '../lifecycle/regions.ts';
import type { Handler } from './handler.ts';
import { isoTime } from './iso-time.ts';

/**
 * A name that a project invented and no daemon has served is not listed, so that projects do not see each other's
 * names.
 */
export const listRegions: Handler<'listRegions'> = async (_, { store, deps }) => {
  const now = deps.clock.now();
  const rows = await store.db
    .selectFrom('region')
    .select(['name', 'seen_at'])
    .where('seen_at', '>', 0)
    .orderBy('id')
    .execute();
  return rows.map(({ name, seen_at: seenAt }) => ({
    name,
    served: seenAt >= now - unservedAfterMs,
    lastSeenAt: isoTime(seenAt),
  }));
};
