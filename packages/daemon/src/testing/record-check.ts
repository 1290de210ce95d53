import type { Transaction } from 'kysely';
import { createOpenSlots } from '../recording/open-slots.ts';
import { createQuietChecks } from '../recording/quiet-checks.ts';
import {
  createOutcomeRecording,
  type FinishedCheck,
  type RecordedCheck,
  type RecordOutcomes,
  type ScheduleWrites,
} from '../recording/record-outcome.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** Records one check in a transaction. */
export type RecordCheck = (
  trx: Transaction<Tables>,
  check: FinishedCheck,
  schedule?: ScheduleWrites,
) => Promise<RecordedCheck>;

/** A clock that never steps. */
export const steadyTime = { renew: (at: number) => at, steppedMs: () => 0 };

/**
 * The recording of each store. As in a daemon, all functions that record checks in a store share one recording, because
 * it remembers earlier checks.
 */
const recordings = new WeakMap<Store, RecordOutcomes>();

/** Creates the function that records checks one by one. */
export function createCheckRecording(store: Store): RecordCheck {
  const record = recordings.get(store) ?? createRecording(store);
  recordings.set(store, record);
  return async (trx, check, schedule) => {
    const [recorded] = await record(trx, [check], schedule);
    if (!recorded) throw new Error('One check got no answer.');
    return recorded;
  };
}

function createRecording(store: Store): RecordOutcomes {
  const quiet = createQuietChecks(steadyTime);
  const record = createOutcomeRecording(store, { renew: steadyTime.renew, quiet, slots: createOpenSlots(store) });
  return async (trx, checks, schedule) => {
    const recorded = await record(trx, checks, schedule);
    for (const [at, check] of checks.entries()) quiet.learn(check, recorded[at]!);
    return recorded;
  };
}
