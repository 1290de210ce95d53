import type { Transaction } from 'kysely';
import { outageChange } from '../core/outage.ts';
import type { MonitorState, Step, Transition } from '../core/monitor-state.ts';
import { addUnobserved, type UnobservedTime } from '../core/unobserved-times.ts';
import { newId } from '../store/ids.ts';
import { type RolledUp, type StoredState, stateToRow } from '../store/monitor-state-row.ts';
import type { Tables } from '../store/tables.ts';
import { rollUpTime } from './roll-up-time.ts';
import { reviewAlerts } from '../alerting/review-alerts.ts';

/** A recorded change of status. Listeners are called after the commit. */
export interface RecordedTransition extends Transition {
  monitor: number;
}

/**
 * Stores a monitor's new state. If the status changes, this also rolls up the time in the old status, adds a row to
 * `status_change`, and opens or closes the outage. The caller records the cause of the change in the same transaction.
 */
export async function moveState(
  trx: Transaction<Tables>,
  monitor: number,
  before: StoredState,
  step: Step,
): Promise<RecordedTransition | null> {
  const { transition } = await moveRolledUpState(trx, monitor, before, step);
  return transition;
}

/** Does the work of `moveState`, and also resolves with the new `rolledUpUntil` and the new unobserved times. */
export async function moveRolledUpState(
  trx: Transaction<Tables>,
  monitor: number,
  before: StoredState,
  step: Step,
): Promise<{ transition: RecordedTransition | null; rolledUp: RolledUp }> {
  const { state, transition } = step;
  let { rolledUpUntil } = before;
  // The monitor's alerts are reviewed before its status leaves `up`. A maintenance window that held back a recovery may
  // have just ended, and then the recovery is sent now.
  if (transition?.from === 'up') await reviewAlerts(trx, monitor, { at: transition.at });
  if (transition) {
    rolledUpUntil = await rollUpTime(trx, monitor, before, transition.at);
    await trx
      .insertInto('status_change')
      .values({
        monitor,
        at: transition.at,
        from_status: transition.from,
        to_status: transition.to,
        error_code: transition.error?.code ?? null,
        error_message: transition.error?.message ?? null,
      })
      .execute();
    await moveOutage(trx, monitor, state, transition);
  } else if (before.unobservedSince !== null && state.unobservedSince === null) {
    // The checker can check the monitor again, or the target was edited. The time before `unobservedSince` is rolled
    // up. The time without checks, from `unobservedSince` on, counts in no uptime.
    rolledUpUntil = await rollUpTime(trx, monitor, before, Math.max(state.lastCheckedAt ?? 0, state.watchedSince));
  }
  const unobserved = await unobservedUntil(trx, before, rolledUpUntil);
  await trx
    .updateTable('monitor_state')
    .set({ ...stateToRow(state), rolled_up_until: rolledUpUntil, unobserved: JSON.stringify(unobserved) })
    .where('monitor', '=', monitor)
    .execute();
  return { transition: transition && { ...transition, monitor }, rolledUp: { rolledUpUntil, unobserved } };
}

/**
 * Returns the unobserved times of a monitor after a rollup that ended at `until`. The rollup left out the time from
 * `unobservedSince` to `until`. This time is added if probes may still report about it.
 */
async function unobservedUntil(
  trx: Transaction<Tables>,
  { regions, unobservedSince, rolledUpUntil, unobserved }: StoredState,
  until: number,
): Promise<readonly UnobservedTime[]> {
  const from = Math.max(rolledUpUntil, unobservedSince ?? until);
  if (from >= until || !(await hasProbes(trx, Object.keys(regions).map(Number)))) return unobserved;
  return addUnobserved(unobserved, { from, until });
}

/** Whether one of these regions has probes. Only probes report late. */
async function hasProbes(trx: Transaction<Tables>, regions: readonly number[]): Promise<boolean> {
  if (regions.length === 0) return false;
  const token = await trx.selectFrom('probe_token').select('id').where('region', 'in', regions).executeTakeFirst();
  return token !== undefined;
}

async function moveOutage(
  trx: Transaction<Tables>,
  monitor: number,
  state: MonitorState,
  transition: Transition,
): Promise<void> {
  const change = outageChange(transition);
  if (!change) return;
  if (!change.open) {
    await trx
      .updateTable('outage')
      .set({ closed_at: transition.at, close_reason: change.reason })
      .where('monitor', '=', monitor)
      .where('closed_at', 'is', null)
      .execute();
    return;
  }
  await trx
    .insertInto('outage')
    .values({
      id: newId('epi', transition.at),
      monitor,
      opened_at: transition.at,
      failing_since: state.failingSince ?? transition.at,
      closed_at: null,
      close_reason: null,
      error_code: transition.error?.code ?? null,
      error_message: transition.error?.message ?? null,
    })
    .execute();
}
