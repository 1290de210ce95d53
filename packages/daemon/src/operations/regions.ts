import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** Milliseconds without a sign of life from a region's daemon, after which nobody serves the region. */
export const unservedAfterMs = 10_000;

/** The number of a region, made known if it is new. */
export async function regionNumber(trx: Transaction<Tables>, name: string): Promise<number> {
  const known = await trx.selectFrom('region').select('id').where('name', '=', name).executeTakeFirst();
  if (known) return known.id;
  const added = await trx
    .insertInto('region')
    .values({ name, seen_at: 0 })
    // Made known by another at this moment: PostgreSQL then has the transaction run again, and it is found.
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirstOrThrow();
  return added.id;
}

/**
 * The regions that are to check a monitor: those it names, or every region that a checker has ever served, the first
 * ones where its plan limits them.
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
  for (const name of names) numbers.push(await regionNumber(trx, name));
  return numbers;
}
