import type { FinishedCheck } from '../recording/record-outcome.ts';
import { type Batch, createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { QueuedResult, ResultQueue } from './result-queue.ts';

/** Finished checks are gathered for this time, and then stored in one synced commit. */
const gatherMs = 100;
/**
 * Passed checks are gathered for this longer time, so that there are fewer commits. Each commit costs about as much
 * processor time as a check.
 */
const quietGatherMs = 250;

/** A finished check, and whether it ended before the first exchange with the server. */
interface ProbeCheck extends FinishedCheck {
  isEarly: boolean;
}

/** Returns a batch that stores finished checks in the queue, many in one synced commit. */
export function createCheckRecording(store: Store, queue: Pick<ResultQueue, 'add'>): Batch<ProbeCheck, void> {
  return createBatch(
    store,
    async (trx, checks: ProbeCheck[]) => {
      // A result may be about an earlier version of the monitor than the version that the server sent last. The
      // server decides whether the result still counts.
      await queue.add(trx, checks.map(queuedResult));
      return checks.map(() => undefined);
    },
    { gatherMs, patient: { mayWait: ({ outcome }) => outcome.verdict === 'up', gatherMs: quietGatherMs } },
  );
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
