import { ServiceError } from '../errors.ts';
import type { Clock } from '../deps.ts';

/** Most requests of one caller in a window, unless an endpoint sets its own number. */
export const attemptsAMinute = 10;
const windowMs = 60_000;
/** Most callers remembered. Beyond it the oldest is forgotten, so that memory stays bounded. */
const remembered = 100_000;

/** Counts requests by caller. Throws `rate_limited`, with the seconds to wait, for one too many within a minute. */
export function createRateLimit(clock: Clock, most = attemptsAMinute): (caller: string) => void {
  const windows = new Map<string, { until: number; count: number }>();
  return (caller) => {
    const now = clock.monotonicMs();
    let window = windows.get(caller);
    if (!window || window.until <= now) {
      windows.delete(caller);
      window = { until: now + windowMs, count: 0 };
      windows.set(caller, window);
      if (windows.size > remembered) windows.delete(windows.keys().next().value!);
    }
    window.count++;
    if (window.count > most) {
      const retryAfter = Math.ceil((window.until - now) / 1000);
      const why = `The limit is ${most} attempts a minute, and this is number ${window.count}.`;
      throw new ServiceError('rate_limited', `${why} Try again in ${retryAfter} s.`, { retryAfterSeconds: retryAfter });
    }
  };
}
