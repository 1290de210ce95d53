import type { Deps } from '../deps.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { QueuedResult, ResultQueue } from './result-queue.ts';
import { createDiskSync } from './sync-to-disk.ts';

/** A finished check, and whether it ended before the first exchange with the server. */
interface ProbeCheck extends FinishedCheck {
  isEarly: boolean;
}

/** Stores the results of a probe's checks. */
export interface CheckRecording {
  /** Resolves when the result is stored in the queue. After that, a kill of the process does not lose it. */
  record(check: ProbeCheck): Promise<void>;
  close(): Promise<void>;
}

/**
 * Returns the recording of finished checks. Each check is committed as soon as it ends, because a kill of the process
 * loses what is only in memory. These commits do not wait for the disk: the results get there a moment later.
 */
export function createCheckRecording(
  deps: Pick<Deps, 'clock' | 'log'>,
  store: Store,
  queue: Pick<ResultQueue, 'add'>,
): CheckRecording {
  const disk = createDiskSync(deps, store);
  const results = createBatch(
    store,
    async (trx, checks: ProbeCheck[]) => {
      // A result may be about an earlier version of the monitor than the version that the server sent last. The
      // server decides whether the result still counts.
      await queue.add(trx, checks.map(queuedResult));
      return checks.map(() => undefined);
    },
    { durable: false, onCommit: () => disk.syncSoon() },
  );
  return {
    record: (check) => results.submit(check),
    async close() {
      await results.close();
      await disk.close();
    },
  };
}

function queuedResult({
  monitor,
  generation,
  intervalMs,
  begunAt,
  at,
  outcome,
  later,
  overtaken,
  isEarly,
}: ProbeCheck): QueuedResult {
  const { verdict, error, responseTime, statusCode, timings, certificate } = outcome;
  return {
    monitor,
    generation,
    intervalMs,
    begun: Math.round(Math.min(begunAt, at)),
    at: Math.round(at),
    verdict,
    over: later === 'over' || overtaken,
    error: verdict === 'up' ? null : error,
    responseTime,
    statusCode,
    timings,
    certificate,
    isEarly,
  };
}
