import type { Transaction } from 'kysely';
import { reviewAlerts } from '../alerting/review-alerts.ts';
import { observeCheck } from '../core/verdict.ts';
import { prepare } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { LoadedMonitor, MonitorStates } from './monitor-states.ts';
import { moveRolledUpState, type RecordedTransition } from './move-state.ts';
import { isQuiet } from './quiet-checks.ts';
import type { FinishedCheck, RecordedCheck } from './record-outcome.ts';

/**
 * Applies the result of a check to the monitor's state, `one.state`. Adds the monitor to `changed` if the caller has to
 * write that state.
 */
export type JudgeCheck = (
  trx: Transaction<Tables>,
  check: FinishedCheck,
  one: LoadedMonitor,
  changed: Set<LoadedMonitor>,
) => Promise<Pick<RecordedCheck, 'transition' | 'effect'>>;

export function createJudging(store: Store, states: Pick<MonitorStates, 'write'>): JudgeCheck {
  const regionName = prepare(store, (db, p: { region: number }) =>
    db.selectFrom('region').select('name').where('id', '=', p.region),
  );
  return async (trx, check, one, changed) => {
    const { monitor, region, begunAt, at, requested, outcome, absences } = check;
    const before = one.state;
    const error = outcome.verdict === 'down' ? outcome.error : null;
    const { intervalMs } = check;
    const seen = { region, begunAt, at, requested, error, ...(check.arrived && { arrivedAt: check.arrived.at }) };
    const step = observeCheck(before, seen, { intervalMs, absences });
    const certificate = outcome.certificate ? JSON.stringify(outcome.certificate) : one.certificate;
    const renewed = certificate !== one.certificate;
    const failed = step.state.status === 'down' && step.state.failures > before.failures;
    const ownStatements = step.transition !== null || before.unobservedSince !== null;
    one.state = { ...step.state, rolledUpUntil: before.rolledUpUntil, unobserved: before.unobserved };
    if (!ownStatements && !failed && !renewed) {
      if (step.state === before) return { transition: null, effect: 'none' };
      const isOnlyLater = isQuiet(before, step.state, region);
      // On SQLite, the state is not written now if only the time of the latest result changed. That time is written
      // when the result moves to the table `result` (move-results.ts). Until then only quiet-checks.ts has it.
      if (!isOnlyLater || !store.dialect.exclusive) changed.add(one);
      return { transition: null, effect: isOnlyLater ? 'time' : 'more' };
    }

    changed.delete(one);
    let transition: RecordedTransition | null = null;
    if (ownStatements) {
      const moved = await moveRolledUpState(trx, monitor, before, step);
      one.state = { ...one.state, ...moved.rolledUp };
      transition = moved.transition;
    } else await states.write(trx, [one]);
    if (renewed) {
      one.certificate = certificate;
      await trx.updateTable('monitor_state').set({ certificate }).where('monitor', '=', monitor).execute();
    }
    if (transition || failed || renewed) {
      const [named] = await regionName(trx, { region });
      const { statusCode, responseTime } = outcome;
      const details = { statusCode: statusCode ?? 0, responseTime: responseTime ?? 0, region: named?.name ?? '' };
      // A probe's result may be older than the last change of status. A review must not go back before that change.
      const reviewedAt = Math.max(at, check.arrived ? one.state.since : at);
      const arrived = check.arrived && { region, at: check.arrived.at };
      await reviewAlerts(trx, monitor, { at: reviewedAt, failed, arrived, details });
    }
    return { transition, effect: 'more' };
  };
}
