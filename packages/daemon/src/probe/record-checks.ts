import type { FinishedCheck } from '../recording/record-outcome.ts';
import { type Batch, createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { QueuedResult, ResultQueue } from './result-queue.ts';

/** A finished check, and whether it ended before the first exchange with the server. */
interface ProbeCheck extends FinishedCheck {
  isEarly: boolean;
}

/**
 * Returns a batch that stores finished checks in the queue. It waits for other checks for three turns of the event loop
 * at most, because a kill of the process loses the checks that wait.
 */
export function createCheckRecording(store: Store, queue: Pick<ResultQueue, 'add'>): Batch<ProbeCheck, void> {
  return createBatch(store, async (trx, checks: ProbeCheck[]) => {
    // A result may be about an earlier version of the monitor than the version that the server sent last. The
    // server decides whether the result still counts.
    await queue.add(trx, checks.map(queuedResult));
    return checks.map(() => undefined);
  });
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
