import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** Maximum number of regions that one pass examines. */
const maxExamined = 50_000;
/** Maximum number of regions that one transaction removes. */
const maxPieceRegions = 500;

/**
 * Regions that were never served and that nothing uses any more. Each new name in the `regions` of a monitor adds a
 * region. Without the removal of unused regions, one project could fill the table. Results refer only to regions that
 * were served, with one exception: see `firstServed`.
 *
 * A pass first reads all regions that were never served. Then it keeps the regions of every monitor, and removes the
 * others.
 */
export interface RegionsToForget {
  /** Keeps the regions of a monitor. The monitor may be paused. */
  keepOf(monitor: number): Promise<void>;
  /** Removes one batch of the regions. Resolves with whether more regions may be left. */
  removePiece(): Promise<boolean>;
  /** The next pass reads the regions after this number. */
  nextAfter: number;
}

/** Begins a pass over the regions whose numbers are higher than `after`. */
export async function readRegionsToForget(store: Store, after: number): Promise<RegionsToForget> {
  const unserved = await store.db
    .selectFrom('region')
    .select(['id', 'naming_count'])
    .where('seen_at', '=', 0)
    .where('id', '>', Math.max(after, await firstServed(store.db)))
    .orderBy('id')
    .limit(maxExamined)
    .execute();
  const left = new Map(unserved.map((row) => [row.id, row.naming_count]));
  return {
    nextAfter: unserved.length < maxExamined ? 0 : unserved.at(-1)!.id,
    async keepOf(monitor) {
      if (left.size === 0) return;
      const state = await store.db
        .selectFrom('monitor_state')
        .select('regions')
        .where('monitor', '=', monitor)
        .executeTakeFirst();
      for (const region of Object.keys(JSON.parse(state?.regions ?? '{}') as object)) left.delete(Number(region));
    },
    async removePiece() {
      const some = new Map([...left].slice(0, maxPieceRegions));
      if (some.size > 0) await removeUnused(store, some);
      for (const region of some.keys()) left.delete(region);
      return left.size > 0;
    },
  };
}

/**
 * Resolves with the lowest number of a region that was ever served. Regions with lower numbers stay, because an import
 * of history may have stored results for them before any daemon checked.
 */
async function firstServed(db: Kysely<Tables>): Promise<number> {
  const first = await db
    .selectFrom('region')
    .select('id')
    .where('seen_at', '>', 0)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return first?.id ?? Number.MAX_SAFE_INTEGER;
}

/** Removes each of the given regions if nothing uses it, and if nothing has named it since the pass began. */
async function removeUnused(store: Store, regions: ReadonlyMap<number, number>): Promise<void> {
  await store.write(async (trx) => {
    const unused = await trx
      .selectFrom('region')
      .select(['id', 'naming_count'])
      .where('id', 'in', [...regions.keys()])
      .where('seen_at', '=', 0)
      .where(isUnusedBy('schedule', sql`order by ${store.dialect.greatest('next_at', 'lease_until')}`))
      .where(isUnusedBy('probe_token'))
      .where(isUnusedBy('presence'))
      .modifyEnd(store.dialect.forUpdate)
      .execute();
    // A region that was named since the pass began may be in use by a monitor that the pass had already read
    // (`countNaming` in regions.ts).
    const removed = unused.filter((row) => row.naming_count === regions.get(row.id)).map(({ id }) => id);
    if (removed.length > 0) await trx.deleteFrom('region').where('id', 'in', removed).execute();
  });
}

/**
 * Whether no row of the table refers to the region. This is a scalar subquery, because PostgreSQL may read the whole
 * table to answer `not exists`. For a large table, pass the order of an index as `order`. Without it, PostgreSQL
 * expects to find a row soon, and uses no index.
 */
const isUnusedBy = (table: 'schedule' | 'probe_token' | 'presence', order: RawBuilder<unknown> = sql``) =>
  sql<boolean>`(select 1 from ${sql.table(table)} as used where used.region = region.id ${order} limit 1) is null`;
