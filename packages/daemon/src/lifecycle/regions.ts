import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { chooseRegions, type UsableRegion } from './choose-regions.ts';

/**
 * A probe or a region that has not reported for this long is silent, and no longer serves. A probe whose connection
 * broke without a sign needs up to 20 s to notice it and to report again. Other probes of the region take over the
 * monitors of a silent probe.
 */
export const silentAfterMs = 30_000;

/**
 * A region counts as served if it has reported within this time. A monitor that needs a new region gets a served region
 * if there is one.
 */
const recentMs = 10_000;

/**
 * The value of `seen_at` while a region is being added to all monitors that name no regions. From then on, new monitors
 * get the region at once. Older monitors get it in batches.
 */
export const joining = 1;

/** Whether a region was retired and has not reported since. */
export const isRetired = ({ seen_at: seenAt, retired_at: retiredAt }: { seen_at: number; retired_at: number | null }) =>
  retiredAt !== null && seenAt <= retiredAt;

/** Returns when a region last reported. While the region is being added to monitors (`joining`), this is `now`. */
export const lastReportAt = (seenAt: number, now: number): number => (seenAt === joining ? now : seenAt);

/**
 * Notes that a daemon or a probe reports from a region. Resolves with the region's name, and whether the region has all
 * its monitors. If the region lacks some monitors, the caller must call `joinRegion` after this transaction. Resolves
 * with undefined if there is no such region.
 */
export async function noteReport(
  trx: Transaction<Tables>,
  region: number,
  now: number,
): Promise<{ name: string; hasMonitors: boolean } | undefined> {
  await trx
    .updateTable('region')
    .set({ seen_at: now })
    .where('id', '=', region)
    // `seen_at` must not change before all monitors that name no region have got this region: see join-region.ts.
    .where('seen_at', '>', joining)
    .execute();
  const row = await trx
    .selectFrom('region')
    .select(['name', 'seen_at', 'retired_at'])
    .where('id', '=', region)
    .executeTakeFirst();
  return row && { name: row.name, hasMonitors: row.seen_at > joining && row.retired_at === null };
}

/** Returns the number of a region. Adds the region if it is new. */
export async function regionNumber(trx: Transaction<Tables>, name: string): Promise<number> {
  const known = await trx.selectFrom('region').select(['id', 'seen_at']).where('name', '=', name).executeTakeFirst();
  // A region that was ever served is never removed.
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
 * Notes that something names a region that was never served, so that a running removal of unused regions keeps it
 * (regions-to-forget.ts). Resolves with false if the region has just been removed.
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
 * Resolves with the regions that may check a monitor that names no regions: all regions that a checker has ever served,
 * except retired regions. Served regions come first. No region counts as silent until `silentAfterMs` have passed since
 * `observingSince`, because probes could not report before that time.
 */
export async function usableRegions(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  { now, observingSince }: { now: number; observingSince: number },
): Promise<UsableRegion[]> {
  const rows = await db
    .selectFrom('region')
    .select(['id', 'seen_at', 'retired_at'])
    .where('seen_at', '>', 0)
    .orderBy('id')
    .execute();
  const usable = rows
    .filter((row) => !isRetired(row))
    .map(({ id, seen_at: seenAt }) => ({
      id,
      served: lastReportAt(seenAt, now) >= now - recentMs,
      silent: Math.max(lastReportAt(seenAt, now), observingSince) < now - silentAfterMs,
    }));
  return [...usable.filter(({ served }) => served), ...usable.filter(({ served }) => !served)];
}

/**
 * Resolves with the regions that check a monitor. A monitor that names regions is checked from exactly these. A monitor
 * that names none is checked from the usable regions (`usableRegions`) and from its present regions (`has`). If a plan
 * limits the number of its regions, `chooseRegions` selects some of them.
 */
export async function assignedRegions(
  trx: Transaction<Tables>,
  {
    monitor,
    names,
    has = [],
    now,
  }: { monitor: number; names: readonly string[]; has?: readonly number[]; now: number },
): Promise<number[]> {
  if (names.length === 0) {
    const { region_limit: limit } = await trx
      .selectFrom('monitor')
      .select('region_limit')
      .where('seq', '=', monitor)
      .executeTakeFirstOrThrow();
    // `observingSince` is `now`, so this call treats no region as silent. Otherwise, if the plan or the fields change,
    // monitors of silent regions could get other regions.
    return chooseRegions(has, { limit, usable: await usableRegions(trx, { now, observingSince: now }) });
  }
  const numbers: number[] = [];
  // Transactions that name the same regions lock the rows in the same order, so that no deadlock arises.
  for (const name of [...names].toSorted()) numbers.push(await regionNumber(trx, name));
  return numbers;
}
