import type { SteadyClock } from '../deps.ts';
import type { Store } from '../store/store.ts';
import type { Claims } from './claims.ts';
import { createMemoryClaims } from './memory-claims.ts';
import { loadMemorySchedule } from './memory-schedule.ts';
import { createSqlClaims, type SqlClaims } from './sql-claims.ts';

/** A region's schedule. */
export interface OpenSchedule extends Pick<SqlClaims, 'writes'> {
  claims: Claims;
}

/**
 * Opens a region's schedule. It is in memory if only this process uses the database. Otherwise it is in the database.
 */
export async function openSchedule(
  store: Store,
  clock: SteadyClock,
  { region, observingSince }: { region: number; observingSince: () => number },
): Promise<OpenSchedule> {
  if (!store.dialect.exclusive) {
    const claims = createSqlClaims(store, clock, region);
    return { claims, writes: claims.writes };
  }
  const { schedule, update } = await loadMemorySchedule(store, clock, region);
  const claims = createMemoryClaims({ clock, region, schedule, update, observingSince });
  // `claims.checkEnded` has already changed the schedule, so the transaction that records the check does not change it.
  return { claims, writes: { fence: async () => () => 'held', apply: async () => {} } };
}
