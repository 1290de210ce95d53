import type { Transaction } from 'kysely';
import type { Clock } from '../deps.ts';
import type { DueMonitor } from '../store/dialect.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** Milliseconds for which a claim holds unless it is renewed: so long a monitor waits whose checker was killed. */
const lease = 15_000;
/** Milliseconds after which claims are to be renewed. */
export const renewAfter = lease / 3;

/** One region's part of the schedule: what is due, and who holds it. */
export interface Claims {
  /** Claims what is due now, the longest due first. */
  takeDue(limit: number): Promise<DueMonitor[]>;
  /** Claims a monitor, due or not: `false` where somebody holds it, `null` where the region does not check it. */
  takeOne(monitor: number): Promise<DueMonitor | false | null>;
  /** Holds on to what is still held. What was given back meanwhile stays so: nobody would check it until the lease lapses. */
  renew(monitors: readonly number[]): Promise<void>;
  giveBack(monitors: readonly number[]): Promise<void>;
  /** What is free first: since when it is due, and from when on it can be claimed, in epoch milliseconds. */
  firstFree(): Promise<{ next_at: number; at: number } | undefined>;
}

/** None of its commits waits for the disk: a claim that a power cut takes back is taken again. */
export function createClaims(store: Store, clock: Clock, region: number): Claims {
  // The index of the schedule is over this: due, and held by nobody.
  const freeAt = store.dialect.greatest('next_at', 'lease_until');
  const write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => store.write(work, { durable: false });
  const some = (trx: Transaction<Tables>, monitors: readonly number[]) =>
    trx.updateTable('schedule').where('region', '=', region).where('monitor', 'in', monitors);

  return {
    async takeDue(limit) {
      const now = clock.now();
      // Reading first keeps the writer free while nothing is due.
      const due = await store.db
        .selectFrom('schedule')
        .select('monitor')
        .where('region', '=', region)
        .where(freeAt, '<=', now)
        .limit(1)
        .executeTakeFirst();
      if (!due) return [];
      return write((trx) => {
        // Read again: the timeline may have stepped before this came to its turn.
        const now = clock.now();
        return store.dialect.claimDue(trx, { region, now, leaseUntil: now + lease, limit });
      });
    },
    async takeOne(monitor) {
      const taken = await write((trx) => {
        const now = clock.now();
        return some(trx, [monitor])
          .set({ lease_until: now + lease })
          .where('lease_until', '<', now)
          .returning(['monitor', 'next_at'])
          .executeTakeFirst();
      });
      if (taken) return taken;
      const held = await store.db
        .selectFrom('schedule')
        .select('monitor')
        .where('monitor', '=', monitor)
        .where('region', '=', region)
        .executeTakeFirst();
      return held ? false : null;
    },
    async renew(monitors) {
      await write((trx) =>
        some(trx, monitors)
          .set({ lease_until: clock.now() + lease })
          .where('lease_until', '>', 0)
          .execute(),
      );
    },
    async giveBack(monitors) {
      if (monitors.length > 0) await write((trx) => some(trx, monitors).set({ lease_until: 0 }).execute());
    },
    firstFree: () =>
      store.db
        .selectFrom('schedule')
        .select(['next_at', freeAt.as('at')])
        .where('region', '=', region)
        .orderBy(freeAt)
        .limit(1)
        .executeTakeFirst(),
  };
}
