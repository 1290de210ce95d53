import { ServiceError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { refitRegions } from './refit-regions.ts';
import { silentAfterMs } from './regions.ts';

/**
 * Retires a region that nothing serves any more: lists, warnings and metrics leave it out, and new monitors that name no
 * regions do not get it. Monitors keep it, and their verdicts ignore it as before. Only a monitor that names no regions
 * and whose plan limits their number gets another region instead. Resolves with the number of these monitors.
 *
 * The region is back as soon as a daemon or a probe reports from it. Throws `not_found`, and `conflict` while the region
 * reports.
 */
export async function retireRegion(store: Store, name: string, now: number): Promise<number> {
  await store.write(async (trx) => {
    const row = await trx.selectFrom('region').select(['id', 'seen_at']).where('name', '=', name).executeTakeFirst();
    if (!row || row.seen_at === 0) throw new ServiceError('not_found', `No daemon or probe has served ${name}.`);
    if (row.seen_at >= now - silentAfterMs)
      throw new ServiceError('conflict', `The region ${name} reports now. Stop its daemon and its probes first.`);
    // The time of its last report, and not `now`: whichever report comes next is later.
    await trx.updateTable('region').set({ retired_at: row.seen_at }).where('id', '=', row.id).execute();
  });
  // If the process ends during this, the operator retires the region again, and the other monitors get their regions.
  return refitRegions(store, { now, onlyRetired: true });
}
