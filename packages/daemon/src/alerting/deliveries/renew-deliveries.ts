import { sql } from 'kysely';
import type { Clock } from '../../deps.ts';
import { ServiceError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { stillClaimed, type DeliveryClaim } from './still-claimed.ts';

/**
 * Creates a function that renews the claims of messages that are being sent. An attempt to send mail may take 15
 * minutes, and no other daemon may send the same message meanwhile. The function skips messages that another process
 * has claimed since. Call it often: it writes at most three times within `leaseMs`. If a daemon dies, its messages are
 * due again after `leaseMs`.
 */
export function createClaimRenewal(
  store: Store,
  clock: Clock,
  leaseMs: number,
): (underWay: Iterable<DeliveryClaim>) => Promise<void> {
  let renewedMonoMs = clock.monotonicMs();
  return async (underWay) => {
    if (clock.monotonicMs() - renewedMonoMs < leaseMs / 3) return;
    const claims = [...underWay];
    try {
      if (claims.length > 0) await renew(store, claims, clock.now() + leaseMs);
    } catch (error) {
      // While the store accepts no writes, no other daemon can claim these messages either. The next call tries again.
      if (error instanceof ServiceError && error.code === 'unavailable') return;
      throw error;
    }
    renewedMonoMs = clock.monotonicMs();
  };
}

const renew = (store: Store, claims: readonly DeliveryClaim[], until: number) =>
  store.write(
    (trx) =>
      stillClaimed(store, trx, claims)
        .set({ next_at: until, lease_until: until })
        .where('status', '=', sql.lit('pending'))
        // Skips messages whose attempt has ended meanwhile. Their `next_at` is the time of the next attempt, and must
        // not change.
        .where('lease_until', '>', 0)
        .execute(),
    { durable: false },
  );
