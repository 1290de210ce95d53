import type { Clock } from '../deps.ts';

/** A check younger than this is not repeated: the key might as well have been revoked just after the request. */
const afterMs = 20;

/**
 * Returns a function that repeats the check of a credential, if the last check was some time ago. Requests with a slow
 * body, and long lists to a slow reader, call it, so that a revoked key stops them too.
 */
export function createRecheck(
  check: () => Promise<unknown>,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): () => Promise<void> {
  let checkedAtMs = monotonicMs();
  return async () => {
    if (monotonicMs() - checkedAtMs < afterMs) return;
    checkedAtMs = monotonicMs();
    await check();
  };
}
