import type { Transaction } from 'kysely';
import { judgeSilence } from '../core/heartbeat.ts';
import type { Tables } from '../store/tables.ts';
import { reviewAlerts } from '../alerting/review-alerts.ts';
import { loadState } from '../stored-monitors/load-state.ts';
import { lockMonitor } from '../stored-monitors/lock-monitor.ts';
import { type RecordedTransition, moveState } from './move-state.ts';

/**
 * Sets a heartbeat to `down` if it has been silent for too long at `now`. Resolves with the change of status, or null
 * if there is none. All pings that arrived before `now` must be recorded before the call.
 */
export async function judgeHeartbeat(
  trx: Transaction<Tables>,
  monitor: number,
  now: number,
): Promise<RecordedTransition | null> {
  const state = await loadState(trx, monitor);
  if (!state) return null;
  const step = judgeSilence(state, now);
  if (!step.transition) return null;
  // Another daemon may find the same silence at the same time. The transaction that gets the lock second runs again,
  // and then finds that the status has already changed.
  await lockMonitor(trx, monitor);
  const transition = await moveState(trx, monitor, state, step);
  await reviewAlerts(trx, monitor, { at: now });
  return transition;
}
