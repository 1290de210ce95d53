import { ServiceError } from '../errors.ts';
import type { Clock } from '../deps.ts';
import { countAttempt } from '../store/count-attempt.ts';
import type { Store } from '../store/store.ts';

/** Maximum number of requests of one caller in a window, unless an endpoint sets its own number. */
export const maxAttemptsAMinute = 10;
const windowMs = 60_000;
/**
 * Maximum number of callers whose requests are counted. Beyond it, the caller whose window began first is forgotten, so
 * that memory stays bounded.
 */
const maxRemembered = 100_000;

/** Counts a request of a caller. Throws `rate_limited`, with the seconds to wait, if the caller exceeds the limit. */
export type Throttle = (caller: string) => void | Promise<void>;

/** Returns a limit that counts requests by caller in the memory of this process. */
export function createRateLimit(clock: Clock, maxAttempts = maxAttemptsAMinute): (caller: string) => void {
  const windows = new Map<string, { untilMonoMs: number; count: number }>();
  return (caller) => {
    const nowMonoMs = clock.monotonicMs();
    let window = windows.get(caller);
    if (!window || window.untilMonoMs <= nowMonoMs) {
      windows.delete(caller);
      window = { untilMonoMs: nowMonoMs + windowMs, count: 0 };
      windows.set(caller, window);
      if (windows.size > maxRemembered) windows.delete(windows.keys().next().value!);
    }
    window.count++;
    refuseBeyond(maxAttempts, window.count, window.untilMonoMs - nowMonoMs);
  };
}

/**
 * Returns a limit that counts requests by caller on all nodes of the installation. Limits with different names count
 * separately. On SQLite there is only one node.
 */
export function createSharedRateLimit(
  store: Store,
  clock: Clock,
  { name, maxAttempts = maxAttemptsAMinute }: { name: string; maxAttempts?: number | undefined },
): Throttle {
  const countHere = createRateLimit(clock, maxAttempts);
  if (store.dialect.exclusive) return countHere;
  return async (caller) => {
    // A caller that is beyond the limit on this node is refused without a write.
    countHere(caller);
    const now = clock.now();
    const { count, until } = await countAttempt(store, { scope: `${name} ${caller}`, now, windowMs });
    refuseBeyond(maxAttempts, count, until - now);
  };
}

function refuseBeyond(maxAttempts: number, count: number, leftMs: number): void {
  if (count <= maxAttempts) return;
  const retryAfter = Math.ceil(leftMs / 1000);
  const why = `The limit is ${maxAttempts} attempts a minute, and this is number ${count}.`;
  throw new ServiceError('rate_limited', `${why} Try again in ${retryAfter} s.`, { retryAfterSeconds: retryAfter });
}
