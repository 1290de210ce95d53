import type { Transaction } from 'kysely';
import type { Clock } from '../deps.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import type { QuietChecks } from '../recording/quiet-checks.ts';
import type { FinishedCheck, RecordOutcomes } from '../recording/record-outcome.ts';
import { createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { OpenSchedule } from './open-schedule.ts';

/**
 * Finished checks are gathered into one commit for this time. A longer time saves no CPU, and delays a ping that
 * arrives during the commit.
 */
const gatherMs = 8;
/** Checks that probably change nothing are gathered for this time. A kill may lose them. */
const quietGatherMs = 1000;

/**
 * One transaction records checks for this time, and at least one check. A check that changes a status may open many
 * alerts, and one target may change many monitors at once. Pings are recorded between two transactions.
 */
const sliceMs = 8;

export interface CheckBatches {
  /**
   * Records a check together with other checks. Resolves once it is stored and the listeners know of its change of
   * status.
   */
  record(check: FinishedCheck): Promise<void>;
  /** Resolves once the checks that are gathered now are stored. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface CheckBatchesOptions extends Pick<OpenSchedule, 'writes'> {
  clock: Clock;
  /** The name of this daemon. */
  instance: string;
  recordOutcomes: RecordOutcomes;
  quiet: QuietChecks;
  /** Called with each change of status after its commit. */
  onTransition: (transition: RecordedTransition) => void;
}

/** Gathers finished checks, and records them in batches with their changes of the schedule. */
export function createCheckBatches(store: Store, options: CheckBatchesOptions): CheckBatches {
  const { clock, instance, recordOutcomes, writes, quiet, onTransition } = options;
  // On PostgreSQL, one long transaction does not block others, and a second one would cost a round trip.
  const startPart = () => (store.dialect.exclusive ? isOver(clock, sliceMs) : undefined);
  const record = (trx: Transaction<Tables>, checks: FinishedCheck[]) =>
    recordOutcomes(trx, checks, writes, startPart());
  const outcomes = createBatch(store, record, {
    gatherMs,
    inParts: true,
    patient: { mayWait: (check) => quiet.mayWait(check), gatherMs: quietGatherMs },
    // A result that changes nothing may be lost in a power cut: the next check finds the same result.
    durable: false,
    finish(recorded, check) {
      quiet.learn(check, recorded);
      return recorded;
    },
  });
  // This write is in the same log as the results, so its synced commit also syncs everything before it.
  const synced = createBatch(store, async (trx, items: RecordedTransition[]) => {
    // On PostgreSQL, only `presence` may record a sign of life, because such a sign means that all earlier pings are
    // recorded.
    const write = store.dialect.exclusive ? { alive_at: clock.now() } : { ended_at: null };
    await trx.updateTable('presence').set(write).where('instance', '=', instance).execute();
    return items;
  });

  return {
    async record(check) {
      const { transition } = await outcomes.submit(check);
      // Listeners hear of a transition only once a power cut cannot undo it.
      if (transition) onTransition(await synced.submit(transition));
    },
    settled: () => outcomes.settled(),
    async close() {
      await outcomes.close();
      await synced.close();
    },
  };
}

function isOver({ monotonicMs }: Pick<Clock, 'monotonicMs'>, ms: number): () => boolean {
  const begunMonoMs = monotonicMs();
  return () => monotonicMs() - begunMonoMs >= ms;
}
