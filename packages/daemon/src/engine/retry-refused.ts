import type { Clock } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import { wait } from '../wait.ts';

/** Time until the next try to store something that the store refused. */
const recordAgainAfterMs = 500;

/** Whether the store refused a write, but may accept it later. */
export const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';

/**
 * Calls `write` again and again until the store accepts it. Throws a refusal only after `stopping` is aborted, and any
 * other error at once. If the caller has tried already, `failure` is the error of that try. `acceptsAgain` returns a
 * signal. If this signal aborts, the wait for the next try ends. It must abort at a stop, too.
 */
export async function retryRefused<T>(
  clock: Clock,
  stopping: AbortSignal,
  write: () => Promise<T>,
  { failure, acceptsAgain }: { failure?: unknown; acceptsAgain?: () => AbortSignal } = {},
): Promise<T> {
  for (let error = failure; ;) {
    if (error !== undefined) {
      if (!isRefusal(error) || stopping.aborted) throw error;
      await wait(clock, recordAgainAfterMs, acceptsAgain?.() ?? stopping);
    }
    try {
      return await write();
    } catch (again) {
      error = again;
    }
  }
}
