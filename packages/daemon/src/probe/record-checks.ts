import type { FinishedCheck } from '../recording/record-outcome.ts';
import { type Batch, createBatch } from '../store/batch.ts';
import { prepareForRows } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { QueuedResult, ResultQueue } from './result-queue.ts';

/** Finished checks are gathered for this time, and then stored in one synced commit. */
const gatherMs = 100;
/** Passed checks gather for longer, because a commit costs about as much processor time as a check. */
const quietGatherMs = 250;

/** Stores each finished check in the queue, many in one synced commit. */
export function createCheckRecording(store: Store, queue: Pick<ResultQueue, 'add'>): Batch<FinishedCheck, void> {
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
    async (trx, checks: FinishedCheck[]) => {
      const monitors = [...new Set(checks.map(({ monitor }) => monitor))];
      const rows = await readGenerations(
        trx,
        monitors.map((monitor) => ({ monitor })),
      );
      const generations = new Map(rows.map(({ seq, generation }) => [seq, generation]));
      // If the server sent another version of the monitor meanwhile, it ignores results of the older version.
      const isCurrent = ({ monitor, generation }: FinishedCheck) => generations.get(monitor) === generation;
      await queue.add(trx, checks.filter(isCurrent).map(queuedResult));
      return checks.map(() => undefined);
    },
    { gatherMs, patient: { mayWait: ({ outcome }) => outcome.verdict === 'up', gatherMs: quietGatherMs } },
  );
}

function queuedResult({ monitor, generation, begunAt, at, outcome, later, overtaken }: FinishedCheck): QueuedResult {
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
  };
}
