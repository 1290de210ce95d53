import type { SteadyClock } from '../deps.ts';
import type { DueMonitor } from '../store/claim-due.ts';
import { type Claims, leaseMs } from './claims.ts';
import type { FairClaims, TakenClaims } from './fair-claims.ts';

/**
 * Checks that were claimed ahead (see `ClaimsAhead`) are dropped after this time, because their leases could lapse
 * before the checks begin.
 */
const forgottenAfterMs = leaseMs / 3;

/**
 * Claims the next group of checks while the checks of the previous group begin. Otherwise each group would first wait
 * for the database.
 */
export interface ClaimsAhead {
  /** Begins to claim the next checks. `pending` returns the checks that were claimed before and have not begun yet. */
  claim(pending: () => readonly DueMonitor[]): void;
  /** Returns the checks that were claimed ahead. If no check was claimed ahead, claims checks now. */
  take(): Promise<TakenClaims>;
  /** Gives back the checks that were claimed ahead. */
  giveBack(): Promise<void>;
}

export function createClaimsAhead({
  clock,
  claims,
  fair,
}: {
  clock: Pick<SteadyClock, 'monotonicMs' | 'steppedMs'>;
  claims: Pick<Claims, 'giveBack'>;
  fair: Pick<FairClaims, 'take'>;
}): ClaimsAhead {
  let ahead: {
    claimedMonoMs: number;
    steppedBeforeMs: number;
    taking: Promise<[PromiseSettledResult<TakenClaims>]>;
  } | null = null;

  /**
   * Resolves with the checks that were claimed ahead, and forgets them. Resolves with null if there are none, or if
   * they were claimed too long ago.
   */
  const takenAhead = async (): Promise<TakenClaims | null> => {
    if (ahead === null) return null;
    const { claimedMonoMs, steppedBeforeMs, taking } = ahead;
    const [result] = await taking;
    ahead = null;
    if (result.status === 'rejected') throw result.reason;
    if (clock.monotonicMs() - claimedMonoMs >= forgottenAfterMs) return null;
    // The clock may have stepped since these checks were claimed.
    const later = clock.steppedMs() - steppedBeforeMs;
    const { claimed, more } = result.value;
    return { claimed: claimed.map((one) => ({ ...one, next_at: one.next_at + later })), more };
  };

  return {
    claim(pending) {
      // `taking` must not reject, because nothing awaits it until the checks of the previous group have begun.
      ahead ??= {
        claimedMonoMs: clock.monotonicMs(),
        steppedBeforeMs: clock.steppedMs(),
        taking: Promise.allSettled([fair.take(pending)]),
      };
    },
    take: async () => (await takenAhead()) ?? fair.take(),
    async giveBack() {
      const left = await takenAhead();
      if (left) await claims.giveBack(left.claimed);
    },
  };
}
