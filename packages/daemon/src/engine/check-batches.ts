import type { Transaction } from 'kysely';
import { startSlice } from '../core/time-slice.ts';
import type { Clock } from '../deps.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import type { QuietChecks } from '../recording/quiet-checks.ts';
import type { FinishedCheck, RecordOutcomes } from '../recording/record-outcome.ts';
import { createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { OpenSchedule } from './open-schedule.ts';

/**
 * Finished checks are gathered for this time, and then share a commit. A longer time would save no CPU time. It would
 * only make the commit longer, and so delay pings that arrive during the commit.
 */
const gatherMs = 8;
/**
 * Checks that probably change no status are gathered for this time. The time may be long: if a kill loses such checks,
 * that does no harm.
 */
const quietGatherMs = 1000;

export interface CheckBatches {
  /**
   * Records a check together with other checks. Resolves once the check is stored. If the check changed a status,
   * `onTransition` has been called by then.
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

/** Gathers finished checks. Records them in batches, together with the changes that they make to the schedule. */
export function createCheckBatches(store: Store, options: CheckBatchesOptions): CheckBatches {
  const { clock, instance, recordOutcomes, writes, quiet, onTransition } = options;
  // On PostgreSQL, one transaction records the whole batch. A long transaction does not block others there, and each
  // further transaction would cost a round trip.
  const startPart = () => (store.dialect.exclusive ? startSlice(() => clock.monotonicMs()) : undefined);
  const record = (trx: Transaction<Tables>, checks: FinishedCheck[]) =>
    recordOutcomes(trx, checks, writes, startPart());
  const outcomes = createBatch(store, record, {
    gatherMs,
    inParts: true,
    longWait: { mayWait: (check) => quiet.mayWait(check), gatherMs: quietGatherMs },
    // A result that changes no status may be lost in a power cut: the next check finds the same result.
    durable: false,
    finish(recorded, check) {
      quiet.learn(check, recorded);
      return recorded;
    },
  });
  // The results were committed without a sync to the disk. This small write comes after the results in the WAL of the
  // database. So the synced commit of this write also puts the results on disk.
  const synced = createBatch(store, async (trx, items: RecordedTransition[]) => {
    // On PostgreSQL, only the presence loop (presence.ts) may record a sign of life: other nodes take the sign as proof
    // that all earlier pings are recorded.
    const write = store.dialect.exclusive ? { alive_at: clock.now() } : { ended_at: null };
    await trx.updateTable('presence').set(write).where('instance', '=', instance).execute();
    return items;
  });

  return {
    async record(check) {
      const { transition } = await outcomes.submit(check);
      // Waits until a power cut can no longer undo the transition, and then calls `onTransition`.
      if (transition) onTransition(await synced.submit(transition));
    },
    settled: () => outcomes.settled(),
    async close() {
      await outcomes.close();
      await synced.close();
    },
  };
}
