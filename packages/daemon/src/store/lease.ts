import { sql } from 'kysely';
import type { Store } from './store.ts';

/**
 * Takes or renews a lease until `until`. Here, a lease is the right to do work that only one node may do at a time.
 * Resolves with whether this node holds the lease now. A node can take the lease of another node only after that lease
 * has ended.
 */
export async function takeLease(
  store: Store,
  { name, holder, now, until }: { name: string; holder: string; now: number; until: number },
): Promise<boolean> {
  const taken = await store.write(
    (trx) =>
      trx
        .insertInto('lease')
        .values({ name, holder, until })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, until })
            .where((lease) =>
              lease.or([
                lease('lease.holder', '=', holder),
                lease('lease.until', '<=', now),
                // A node whose clock is ahead stores a lease that ends too late. So a lease is treated as over if it
                // lasts more than twice as long as the requested lease.
                lease('lease.until', '>', sql.lit(2 * until - now)),
              ]),
            ),
        )
        .executeTakeFirst(),
    { durable: false },
  );
  return taken.numInsertedOrUpdatedRows === 1n;
}

/** Gives the lease back, so that another node may take it at once. */
export async function giveLeaseBack(store: Store, { name, holder }: { name: string; holder: string }): Promise<void> {
  await store.write((trx) => trx.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute(), {
    durable: false,
  });
}
