import type { Clock, Logger } from '../deps.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { wait } from '../wait.ts';
import { isRefusal, recordAgainAfterMs } from './retry-refused.ts';

/** Results of checks that the store refused. Storing them is retried until it succeeds. */
export interface RefusedResults {
  /**
   * Records a result. Rejects if the store refuses it. While earlier results wait, the result of a due check is refused
   * at once: it waits behind them. The server ignores a result of a probe that arrives much later than newer results,
   * so the results stay in order.
   */
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

interface RefusedResult {
  current: () => FinishedCheck | undefined;
  monitor: number;
  /** Called when the result is stored, or given up. */
  done: () => void;
}

export function createRefusedResults(
  { clock, log }: { clock: Clock; log: Logger },
  record: (check: FinishedCheck) => Promise<unknown>,
  stopping: AbortSignal,
): RefusedResults {
  /** In the order in which the checks ended. */
  let waiting: RefusedResult[] = [];
  /** The time since which there have been refused results, on the monotonic clock. */
  let sinceMonoMs = 0;
  let lastFailure: unknown;

  const logLoss = (monitor: number, error: unknown) =>
    log.error({ monitor, err: error }, 'a check could not be recorded; it is due again when its claim lapses');

  /** Tries to record a waiting result. Resolves with whether the store refused it again. */
  const isRefusedAgain = async ({ current, monitor, done }: RefusedResult): Promise<boolean> => {
    try {
      // Later checks may have begun or ended since the last try. So `current` is called again, and says whether this
      // result may still change the status.
      const found = current();
      if (found) await record(found);
    } catch (error) {
      lastFailure = error;
      if (isRefusal(error)) return true;
      logLoss(monitor, error);
    }
    done();
    return false;
  };

  const retryAll = async () => {
    while (waiting.length > 0) {
      await wait(clock, recordAgainAfterMs, stopping);
      if (stopping.aborted) {
        for (const { done } of waiting.splice(0)) done();
        return;
      }
      const [first, ...others] = waiting;
      // If the store refuses the first result, it would refuse the others too.
      if (await isRefusedAgain(first!)) continue;
      const refused = await Promise.all(others.map(isRefusedAgain));
      // Results that were refused meanwhile stay behind those that were refused again.
      waiting = [...others.filter((_, at) => refused[at]), ...waiting.slice(1 + others.length)];
    }
  };

  return {
    async record(check) {
      if (waiting.length > 0 && !check.requested) throw lastFailure;
      await record(check);
    },
    count: () => waiting.length,
    refusedForMs: () => (waiting.length === 0 ? 0 : clock.monotonicMs() - sinceMonoMs),
    recordLater(current, monitor, failure) {
      if (!isRefusal(failure)) logLoss(monitor, failure);
      if (!isRefusal(failure) || stopping.aborted) return Promise.resolve();
      lastFailure = failure;
      return new Promise((done) => {
        waiting.push({ current, monitor, done });
        if (waiting.length > 1) return;
        sinceMonoMs = clock.monotonicMs();
        void retryAll();
      });
    },
  };
}
