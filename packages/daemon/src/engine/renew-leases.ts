import type { Clock } from '../deps.ts';
import type { CheckRunner } from './check-runner.ts';
import { type Claims, leaseMs } from './claims.ts';

/** Time between two renewals of the leases. */
const renewAfterMs = leaseMs / 3;

/**
 * Creates the function that renews the leases of monitors whose checks run or are not recorded yet. Call that function
 * often: it does nothing until a renewal is due.
 */
export function createLeaseRenewal(
  clock: Pick<Clock, 'monotonicMs'>,
  claims: Pick<Claims, 'renew'>,
  runner: Pick<CheckRunner, 'leases' | 'noteRenewed'>,
): () => Promise<void> {
  let renewedMonoMs = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - renewedMonoMs <= renewAfterMs) return;
    const leases = runner.leases();
    runner.noteRenewed(leases, await claims.renew(leases));
    renewedMonoMs = clock.monotonicMs();
  };
}
