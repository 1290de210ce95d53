import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { accountMonitor } from '../recording/account-monitor.ts';
import { reviewAlerts } from '../alerting/review-alerts.ts';

/**
 * Accounts the time of these monitors up to now, before one of their windows is added, changed or removed. So past time
 * keeps its meaning.
 */
export async function accountMonitors(
  trx: Transaction<Tables>,
  monitors: readonly number[],
  now: number,
): Promise<void> {
  for (const monitor of monitors) await accountMonitor(trx, monitor, now);
}

/** After windows of these monitors ended or changed: releases held messages, and reviews alerts. */
export async function reviewAfterWindow(
  trx: Transaction<Tables>,
  monitors: readonly number[],
  now: number,
): Promise<void> {
  for (const monitor of monitors) {
    await trx
      .updateTable('delivery')
      .set({ next_at: now })
      .where('status', '=', 'pending')
      .where('next_at', '>', now)
      // A message being sent stays with its sender until then.
      .where('lease_until', '<=', now)
      .where('alert', 'in', trx.selectFrom('alert').select('seq').where('monitor', '=', monitor))
      .execute();
    await reviewAlerts(trx, monitor, { at: now });
  }
}
