import type { Store } from '../store/store.ts';
import { refitRegions } from './refit-regions.ts';
import { joining, regionNumber } from './regions.ts';

interface Joiner {
  /**
   * The time since which this process has run without an absence, in epoch milliseconds. The default `now` is correct
   * for a daemon that is just starting.
   */
  observingSince?: number;
  /**
   * This clock is read when all monitors have got the region. Its time is stored as the region's last report. Without a
   * clock, `now` is stored.
   */
  clock?: { now(): number };
}

/**
 * Registers that a checker serves this region, and resolves with the number of the region. If the region is new or was
 * retired, adds it to the monitors that name no regions. If a plan limits the regions of such a monitor,
 * `chooseRegions` decides whether the monitor gets this region. Each transaction changes only some monitors, so that
 * other daemons can record checks in between.
 */
export async function joinRegion(
  store: Store,
  name: string,
  now: number,
  { observingSince = now, clock }: Joiner = {},
): Promise<number> {
  const { region, isNew } = await store.write(async (trx) => {
    const region = await regionNumber(trx, name);
    const { seen_at: seenAt, retired_at: retiredAt } = await trx
      .selectFrom('region')
      .select(['seen_at', 'retired_at'])
      .where('id', '=', region)
      .executeTakeFirstOrThrow();
    // Monitors that were created while the region was retired do not have this region.
    const isNew = seenAt <= joining || retiredAt !== null;
    await trx
      .updateTable('region')
      .set({ seen_at: isNew ? joining : now, retired_at: null })
      .where('id', '=', region)
      .execute();
    return { region, isNew };
  });
  if (!isNew) return region;
  // If the process crashes during this work, the next start repeats it for the remaining monitors.
  await refitRegions(store, { now, observingSince, onlyRetired: false });
  const endedAt = clock?.now() ?? now;
  await store.write((trx) => trx.updateTable('region').set({ seen_at: endedAt }).where('id', '=', region).execute());
  return region;
}
