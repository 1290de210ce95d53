import { sql } from 'kysely';
import type { Store } from '../store/store.ts';

/**
 * The monitors of a region whose numbers are at least `from` and below `until`. There is no upper limit if `until` is
 * undefined.
 */
export interface PageRange {
  region: number;
  from: number;
  until: number | undefined;
}

export interface PageRow {
  seq: number;
  generation: number;
  updatedAt: number;
}

/**
 * Returns the maximum number of monitors in a page. On SQLite, a statement blocks the event loop, so pages are small.
 * PostgreSQL has no index in the order of pages, so each page may cost as much as the whole region. So its pages are
 * larger.
 */
export const maxInPage = ({ dialect }: Pick<Store, 'dialect'>): number => (dialect.exclusive ? 1000 : 5000);

/** Selects one monitor more than a page may have, so that the caller sees that the page is too full. */
const monitorsOf = (store: Store, { region, from, until }: PageRange) =>
  store.db
    .selectFrom('schedule')
    .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
    .where('schedule.region', '=', region)
    .where('schedule.monitor', '>=', from)
    // PostgreSQL may join both tables in the order of monitors. This condition then keeps it from reading all monitors
    // before `from`.
    .$if(!store.dialect.exclusive, (query) => query.where('monitor.seq', '>=', from))
    .$if(until !== undefined, (query) => query.where('schedule.monitor', '<', until!))
    .select(['monitor.seq', 'monitor.generation', 'monitor.updated_at as updatedAt'])
    .orderBy('schedule.monitor')
    .limit(maxInPage(store) + 1);

export const loadPage = (store: Store, range: PageRange): Promise<PageRow[]> => monitorsOf(store, range).execute();

/** Times are added up as remainders of this divisor, so that the sum stays exact in JavaScript too. */
const divisor = 1_000_000_007;

/** Returns what `signatureOf` returns for the rows of a page, without loading them. */
export async function signPage(store: Store, range: PageRange): Promise<string> {
  const { signature } = await store.db
    .selectFrom(monitorsOf(store, range).as('page'))
    .select(
      sql<string>`cast(count(*) as text)
        || ' ' || cast(coalesce(sum("updatedAt" % ${sql.lit(divisor)}), 0) as text)
        || ' ' || cast(coalesce(sum(generation), 0) as text)
        || ' ' || cast(coalesce(sum(seq), 0) as text)`.as('signature'),
    )
    .executeTakeFirstOrThrow();
  return signature;
}

/** Returns a text that changes when a monitor of the page is added, edited or removed. */
export function signatureOf(rows: readonly PageRow[]): string {
  const sum = (value: (row: PageRow) => number) => rows.reduce((total, row) => total + value(row), 0);
  return [
    rows.length,
    sum(({ updatedAt }) => updatedAt % divisor),
    sum(({ generation }) => generation),
    sum(({ seq }) => seq),
  ].join(' ');
}
