import type { Clock, Logger } from '../deps.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { isRefusal, retryRefused } from './retry-refused.ts';

/** Results of checks that the store refused. Storing them is retried until it succeeds. */
export interface RefusedResults {
  /** Records a result. Rejects if the store refuses it. If the store accepts it, the refused results are tried again. */
  record(check: FinishedCheck): Promise<void>;
  /**
   * Tries to record a result until the store accepts it. Never rejects. `current` returns the result with the current
   * values of `later` and `overtaken`.
   */
  recordLater(current: () => FinishedCheck | undefined, monitor: number, failure: unknown): Promise<void>;
  /** The number of results that are not stored yet. */
  count(): number;
  /** The time for which there have been refused results; 0 if there are no such results. */
  refusedForMs(): number;
}

export function createRefusedResults(
  { clock, log }: { clock: Clock; log: Logger },
  record: (check: FinishedCheck) => Promise<unknown>,
  stopping: AbortSignal,
): RefusedResults {
  let count = 0;
  /** The time since which there have been refused results, on the monotonic clock. */
  let sinceMonoMs = 0;
  /** Ends the wait of all refused results: when the store accepts a result, and at a stop. */
  let accepted = new AbortController();
  stopping.addEventListener('abort', () => accepted.abort(), { once: true });
  const recordNow = async (check: FinishedCheck) => {
    await record(check);
    if (count === 0) return;
    // The refused results are recorded at once, because a server ignores results of a probe that arrive much later than
    // newer results.
    accepted.abort();
    accepted = new AbortController();
  };

  return {
    record: recordNow,
    count: () => count,
    refusedForMs: () => (count === 0 ? 0 : clock.monotonicMs() - sinceMonoMs),
    async recordLater(current, monitor, failure) {
      if (count === 0) sinceMonoMs = clock.monotonicMs();
      count++;
      try {
        const write = async () => {
          // Later checks may have begun or ended since the last try. So `current` is called again, and says whether
          // this result may still change the status.
          const found = current();
          if (found && !stopping.aborted) await recordNow(found);
        };
        await retryRefused(clock, stopping, write, { failure, acceptsAgain: () => accepted.signal });
      } catch (error) {
        if (stopping.aborted && isRefusal(error)) return;
        log.error({ monitor, err: error }, 'a check could not be recorded; it is due again when its claim lapses');
      } finally {
        count--;
      }
    },
  };
}
