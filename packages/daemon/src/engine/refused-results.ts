import type { Clock, Logger } from '../deps.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { isRefusal, retryRefused } from './retry-refused.ts';

/** Results that the store refused. Their storage is retried until it succeeds. */
export interface RefusedResults {
  /**
   * Tries again to record a result until the store accepts it. `current` returns the latest form of the result. Never
   * rejects.
   */
  recordLater(current: () => FinishedCheck | undefined, monitor: number, failure: unknown): Promise<void>;
  count(): number;
  /** How long results have been waiting. */
  refusedForMs(): number;
}

export function createRefusedResults(
  { clock, log }: { clock: Clock; log: Logger },
  record: (check: FinishedCheck) => Promise<unknown>,
  stopping: AbortSignal,
): RefusedResults {
  let count = 0;
  /** Since when there are refused results, on the monotonic clock. */
  let since = 0;

  return {
    count: () => count,
    refusedForMs: () => (count === 0 ? 0 : clock.monotonicMs() - since),
    async recordLater(current, monitor, failure) {
      if (count === 0) since = clock.monotonicMs();
      count++;
      try {
        const write = async () => {
          // A later check may have replaced the result meanwhile.
          const found = current();
          if (found && !stopping.aborted) await record(found);
        };
        await retryRefused(clock, stopping, write, failure);
      } catch (error) {
        if (stopping.aborted && isRefusal(error)) return;
        log.error({ monitor, err: error }, 'a check could not be recorded; it is due again when its claim lapses');
      } finally {
        count--;
      }
    },
  };
}
