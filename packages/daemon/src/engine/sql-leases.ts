import { sql, type Transaction } from 'kysely';
import type { SteadyClock } from '../deps.ts';
import { claimDue, firstClaimAfter, nextClaim } from '../store/claim-due.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type Claims, type HeldLease, type Lease, leaseMs } from './claims.ts';
import { startLeaseTime } from './lease-time.ts';
import type { ScheduleRows } from './schedule-rows.ts';

/** Number of claims that one transaction renews, so that each transaction is short. */
const maxRenewedAtOnce = 500;

/**
 * Creates the functions that claim due monitors by leases in the database, renew the leases, and give them back. Each
 * claim has its own number. A process changes a lease only if the number is still that of its own claim. So it never
 * changes the lease of another process.
 */
export function createSqlLeases(
  store: Store,
  clock: SteadyClock,
  { region }: Pick<ScheduleRows, 'region'>,
): Pick<Claims, 'takeDue' | 'takeOne' | 'renew' | 'giveBack'> {
  const startTime = () => startLeaseTime(clock, leaseMs);
  const setUntil = createLeaseChange(store, region);

  return {
    async takeDue({ limit, of, after }) {
      if (limit <= 0) return [];
      // This is one statement on its own connection, and so one round trip. The time is read only after the wait for a
      // connection, because the clock may step during that wait.
      return store.db.connection().execute(async (db) => {
        const now = clock.now();
        const isSure = startTime();
        const claimed = await claimDue(db, { region, now, leaseUntil: now + leaseMs, limit, of, after });
        return claimed.map(({ claim, ...due }) => ({ ...due, lease: { claim, isSure } }));
      });
    },
    async takeOne(monitor) {
      const take = async (trx: Transaction<Tables>) => {
        const now = clock.now();
        const isSure = startTime();
        const row = await trx
          .updateTable('schedule')
          .set({ lease_until: now + leaseMs, claim: nextClaim, first_claim: firstClaimAfter })
          .where('monitor', '=', monitor)
          .where('region', '=', region)
          .where('lease_until', '<', now)
          .returning(['monitor', 'next_at', 'claim'])
          .executeTakeFirst();
        return row && { monitor, next_at: row.next_at, lease: { claim: row.claim, isSure } };
      };
      const taken = await store.write(take, { durable: false });
      if (taken) return taken;
      const held = await store.db
        .selectFrom('schedule')
        .select('monitor')
        .where('monitor', '=', monitor)
        .where('region', '=', region)
        .executeTakeFirst();
      return held ? false : null;
    },
    async renew(held) {
      const renewed = new Map<number, Lease>();
      const all = [...held].map(([monitor, lease]) => ({ monitor, lease }));
      for (let at = 0; at < all.length; at += maxRenewedAtOnce) {
        const isSure = startTime();
        const monitors = await setUntil(all.slice(at, at + maxRenewedAtOnce), () => clock.now() + leaseMs);
        for (const monitor of monitors) renewed.set(monitor, { claim: held.get(monitor)!.claim, isSure });
      }
      return renewed;
    },
    async giveBack(held) {
      if (held.length > 0) await setUntil(held, () => 0);
    },
  };
}

/**
 * Creates the function that sets a new end for those of the given leases that are still valid. The function resolves
 * with the monitors of the changed leases.
 */
function createLeaseChange(store: Store, region: number) {
  /**
   * Selects the given leases that still hold. Locks their rows in the order of monitors, because transactions that
   * record checks lock the same rows in this order.
   */
  const stillHeld = (trx: Transaction<Tables>, held: readonly HeldLease[]) => {
    const claims = held.map(({ monitor, lease }) => ({ monitor, claim: lease.claim ?? 0 }));
    return trx
      .selectFrom('schedule')
      .innerJoin(store.dialect.rows('given', { monitor: 'long', claim: 'long' }, claims), (join) =>
        join.onRef('given.monitor', '=', 'schedule.monitor').onRef('given.claim', '=', 'schedule.claim'),
      )
      .select('schedule.monitor')
      .where('schedule.region', '=', region)
      .where('schedule.lease_until', '>', 0)
      .orderBy('schedule.monitor')
      .modifyEnd(sql`for update of schedule`)
      .execute();
  };
  return (held: readonly HeldLease[], until: () => number) =>
    store.write(
      async (trx) => {
        const rows = await stillHeld(trx, held);
        const monitors = rows.map(({ monitor }) => monitor);
        if (monitors.length > 0)
          await trx
            .updateTable('schedule')
            .set({ lease_until: until() })
            .where('region', '=', region)
            .where(store.dialect.isAmong('monitor', store.dialect.encodeNumbers(monitors)))
            .execute();
        return monitors;
      },
      { durable: false },
    );
}
