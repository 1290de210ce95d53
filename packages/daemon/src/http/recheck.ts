import type { Clock } from '../deps.ts';

/**
 * An authentication is repeated only if it is at least this old. If the key is revoked within this time, the request
 * still passes, as if it had ended before the key was revoked.
 */
const afterMs = 20;

/**
 * Returns a function that repeats the authentication of a request if the last authentication was at least `afterMs`
 * ago. Routes call it after a slow body has arrived and between the pages of a long list, so that a revoked key ends
 * such requests too.
 */
export function createRecheck(
  check: () => Promise<unknown>,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): () => Promise<void> {
  let checkedMonoMs = monotonicMs();
  return async () => {
    if (monotonicMs() - checkedMonoMs < afterMs) return;
    checkedMonoMs = monotonicMs();
    await check();
  };
}
