import type { Clock, Logger } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { pause } from './loop.ts';

/** Time after which a result that the store refused is stored again. */
const recordAgainAfterMs = 500;

/** Results that the store refused. They are stored again and again until it accepts them. */
export interface RefusedResults {
  /** Records a result once the store accepts it. `current` returns the result in its latest form. Never rejects. */
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
  /** Since when there are any, on the monotonic clock. */
  let since = 0;

  return {
    count: () => count,
    refusedForMs: () => (count === 0 ? 0 : clock.monotonicMs() - since),
    async recordLater(current, monitor, failure) {
      let error = failure;
      if (count === 0) since = clock.monotonicMs();
      count++;
      try {
        while (error instanceof ServiceError && error.code === 'unavailable') {
          await pause(clock, recordAgainAfterMs, stopping);
          // A later check may have ended meanwhile.
          const found = current();
          if (stopping.aborted || !found) return;
          try {
            await record(found);
            return;
          } catch (again) {
            error = again;
          }
        }
      } finally {
        count--;
      }
      log.error({ monitor, err: error }, 'a check could not be recorded; it is due again when its claim lapses');
    },
  };
}
