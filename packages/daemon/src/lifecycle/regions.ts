import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** If a region's daemon has left no sign of life for this long, the region counts as unserved. */
export const unservedAfterMs = 10_000;

/**
 * A probe or a region that has not reported for this long is silent. Other probes of the region take over the monitors
 * of a silent probe.
 */
export const silentAfterMs = 30_000;

/** Returns the number of a region. Adds the region if it is new. */
export async function regionNumber(trx: Transaction<Tables>, name: string): Promise<number> {
  const known = await trx.selectFrom('region').select(['id', 'seen_at']).where('name', '=', name).executeTakeFirst();
  // Regions that were ever served are never removed.
  if (known && known.seen_at > 0) return known.id;
  if (known && (await countNaming(trx, known.id))) return known.id;
  const added = await trx
    .insertInto('region')
    .values({ name, seen_at: 0 })
    // If another process adds the region at the same time, this insert adds no row. On PostgreSQL, the transaction then
    // runs again and finds the region.
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirstOrThrow();
  return added.id;
}

/**
 * Notes that something names a region that was never served, so that a removal of unused regions under way keeps it:
 * see regions-to-forget.ts. Resolves with false if the region has just been removed.
 */
async function countNaming(trx: Transaction<Tables>, region: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('region')
    .set((row) => ({ naming_count: row('naming_count', '+', 1) }))
    .where('id', '=', region)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Resolves with the regions that check a monitor: those that the monitor names. If it names no regions, all regions
 * that a checker has ever served check it. If a plan limits their number, the monitor gets the regions that were added
 * first.
 */
export async function assignedRegions(
  trx: Transaction<Tables>,
  monitor: number,
  names: readonly string[],
): Promise<number[]> {
  if (names.length === 0) {
    const { region_limit: limit } = await trx
      .selectFrom('monitor')
      .select('region_limit')
      .where('seq', '=', monitor)
      .executeTakeFirstOrThrow();
    let served = trx.selectFrom('region').select('id').where('seen_at', '>', 0).orderBy('id');
    if (limit !== null) served = served.limit(limit);
    return (await served.execute()).map((region) => region.id);
  }
  const numbers: number[] = [];
  // Transactions that name the same regions lock the rows in the same order, so that no deadlock arises.
  for (const name of [...names].toSorted()) numbers.push(await regionNumber(trx, name));
  return numbers;
}
