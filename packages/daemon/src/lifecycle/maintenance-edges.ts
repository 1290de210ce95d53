import { sql, type Transaction } from 'kysely';
import { newReviewBudget, reviewAlerts, reviewLater } from '../alerting/review-alerts.ts';
import { rollUpMonitor } from '../recording/roll-up-monitor.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { nextTurn } from '../wait.ts';

/**
 * Number of monitors for which one transaction rolls up time or reviews alerts. Each monitor takes up to a millisecond,
 * in which no ping is recorded.
 */
const maxMonitorsAtOnce = 20;

/**
 * Rolls up the time of these monitors up to now. Call this function in the transaction that adds, changes or removes
 * one of their windows, before the change. So the past time is counted with the windows as they were. Call
 * `rollUpAhead` before that transaction, so that little work is left for it.
 */
export async function rollUpMonitors(
  trx: Transaction<Tables>,
  monitors: readonly number[],
  now: number,
): Promise<void> {
  for (const monitor of await sinceRollup(trx, monitors, now)) await rollUpMonitor(trx, monitor, now);
}

/**
 * Rolls up the time of many monitors in short transactions. Call this function before the transaction that changes
 * their window. Then that transaction delays neither pings nor the event loop for long.
 */
export async function rollUpAhead(store: Store, monitors: readonly number[], now: number): Promise<void> {
  if (monitors.length <= maxMonitorsAtOnce) return;
  for (let from = 0; from < monitors.length; from += maxMonitorsAtOnce) {
    const some = monitors.slice(from, from + maxMonitorsAtOnce);
    // These commits need no sync to the disk: the sync of the transaction that changes the window includes them.
    await store.write((trx) => rollUpMonitors(trx, some, now), { durable: false });
    await nextTurn();
  }
}

/** Returns those of the given monitors whose past time is not fully rolled up yet. */
async function sinceRollup(trx: Transaction<Tables>, monitors: readonly number[], now: number): Promise<number[]> {
  if (monitors.length === 0) return [];
  const rows = await trx
    .selectFrom('monitor_state')
    .select('monitor')
    .where('monitor', 'in', monitors)
    .where('rolled_up_until', '<', now)
    .where((row) =>
      row.or([row('unobserved_since', 'is', null), row('rolled_up_until', '<', row.ref('unobserved_since'))]),
    )
    .execute();
  return rows.map(({ monitor }) => monitor);
}

/**
 * Makes delayed messages due and reviews alerts, after windows of these monitors have ended or changed. Only the first
 * monitors are reviewed in this transaction. The other monitors are reviewed soon after, in further transactions
 * (engine/reviews.ts).
 */
export async function reviewAfterWindow(
  trx: Transaction<Tables>,
  monitors: readonly number[],
  now: number,
): Promise<void> {
  if (monitors.length === 0) return;
  await trx
    .updateTable('delivery')
    .set({ next_at: now })
    .where('status', '=', sql.lit('pending'))
    .where('next_at', '>', now)
    // Leaves out messages that are being sent now: the daemon that sends them still has the lease.
    .where('lease_until', '<=', now)
    .where('alert', 'in', trx.selectFrom('alert').select('seq').where('monitor', 'in', monitors))
    .execute();
  const budget = newReviewBudget();
  for (const monitor of monitors.slice(0, maxMonitorsAtOnce)) await reviewAlerts(trx, monitor, { at: now, budget });
  await reviewLater(trx, monitors.slice(maxMonitorsAtOnce));
}
