import type { Transaction } from 'kysely';
import { judgeSilence } from '../core/heartbeat.ts';
import { stateFromRow } from '../store/monitor-state-row.ts';
import type { Tables } from '../store/tables.ts';
import { reviewAlerts } from '../alerting/review-alerts.ts';
import { lockMonitor } from '../stored-monitors/lock-monitor.ts';
import { type RecordedTransition, moveState } from './move-state.ts';

/** Judges a heartbeat's silence as of `now`, with every ping recorded by then. */
export async function judgeHeartbeat(
  trx: Transaction<Tables>,
  monitor: number,
  now: number,
): Promise<RecordedTransition | null> {
  const row = await trx.selectFrom('monitor_state').selectAll().where('monitor', '=', monitor).executeTakeFirst();
  if (!row) return null;
  const state = { ...stateFromRow(row), accountedUntil: row.accounted_until };
  const step = judgeSilence(state, now);
  if (!step.transition) return null;
  // Another daemon may judge it at the same time. The later one finds it judged already.
  await lockMonitor(trx, monitor);
  const transition = await moveState(trx, monitor, state, step);
  await reviewAlerts(trx, monitor, { at: now });
  return transition;
}
