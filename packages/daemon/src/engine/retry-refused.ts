import type { Clock } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import { wait } from '../wait.ts';

/** Time until the next try to store something that the store refused. */
export const recordAgainAfterMs = 500;

/** Whether the store refused a write, but may accept it later. */
export const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';

/**
 * Calls `write` again and again until the store accepts it. Throws a refusal only after `stopping` is aborted, and any
 * other error at once.
 */
export async function retryRefused<T>(clock: Clock, stopping: AbortSignal, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isRefusal(error) || stopping.aborted) throw error;
      await wait(clock, recordAgainAfterMs, stopping);
    }
  }
}
