import type { FinishedCheck } from '../recording/record-outcome.ts';
import { type Batch, createBatch } from '../store/batch.ts';
import { prepareForRows } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { QueuedResult, ResultQueue } from './result-queue.ts';

/** Finished checks are gathered for this time, and then stored in one synced commit. */
const gatherMs = 100;
/**
 * Passed checks are gathered for this longer time. So there are fewer commits, and each costs about as much processor
 * time as a check.
 */
const quietGatherMs = 250;

/** A finished check, and whether it ended before the first exchange with the server. */
interface ProbeCheck extends FinishedCheck {
  isEarly: boolean;
}

/** Returns a batch that stores finished checks in the queue, many in one synced commit. */
export function createCheckRecording(store: Store, queue: Pick<ResultQueue, 'add'>): Batch<ProbeCheck, void> {
  const readGenerations = prepareForRows<{ monitor: number }, { seq: number; generation: number }>(
    store,
    { monitor: 'long' },
    (db, given) =>
      db
        .selectFrom('monitor')
        .select(['seq', 'generation'])
        .where('seq', 'in', (where) => where.selectFrom(given).select('monitor')),
  );
  return createBatch(
    store,
    async (trx, checks: ProbeCheck[]) => {
      const monitors = [...new Set(checks.map(({ monitor }) => monitor))];
      const rows = await readGenerations(
        trx,
        monitors.map((monitor) => ({ monitor })),
      );
      const generations = new Map(rows.map(({ seq, generation }) => [seq, generation]));
      // If the server has sent a newer version of the monitor meanwhile, the result is left out, because the server
      // would ignore it.
      const isCurrent = ({ monitor, generation }: FinishedCheck) => generations.get(monitor) === generation;
      await queue.add(trx, checks.filter(isCurrent).map(queuedResult));
      return checks.map(() => undefined);
    },
    { gatherMs, patient: { mayWait: ({ outcome }) => outcome.verdict === 'up', gatherMs: quietGatherMs } },
  );
}

function queuedResult({
  monitor,
  generation,
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
