import type { Trigger } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import { reviewAlerts } from '../../operations/alerts/review-alerts.ts';
import type { Tables } from '../../store/tables.ts';

interface Changed {
  /** The rule's seq. */
  rule: number;
  /** What it watches now; null when it is deleted. */
  trigger: Trigger | null;
  /** Seqs of what it watches or watched. */
  monitors: readonly number[];
  /** Epoch milliseconds. */
  now: number;
}

/** Brings alerts in line with a rule that was made, changed or deleted, in the same transaction. */
export async function reviewRule(trx: Transaction<Tables>, { rule, trigger, monitors, now }: Changed): Promise<void> {
  await touch(trx, monitors);
  const told = await trx
    .selectFrom('alert')
    .select('monitor')
    .distinct()
    .where('rule', '=', rule)
    .where('resolved_at', 'is', null)
    .execute();
  const concerned = new Set(told.map(({ monitor }) => monitor));
  if (trigger === 'monitor_down') for (const monitor of await down(trx, monitors)) concerned.add(monitor);
  else if (trigger !== null) for (const monitor of monitors) concerned.add(monitor);
  for (const monitor of [...concerned].toSorted((a, b) => a - b)) await reviewAlerts(trx, monitor, { at: now });
}

/**
 * Meets, on PostgreSQL, whoever records at this moment that one of these goes up or down: the later of the two is run
 * again and sees what the other wrote. Without this a silence, which is recorded once, could be told to nobody.
 */
async function touch(trx: Transaction<Tables>, monitors: readonly number[]): Promise<void> {
  if (monitors.length === 0) return;
  await trx
    .updateTable('monitor_state')
    .set((row) => ({ monitor: row.ref('monitor') }))
    .where('monitor', 'in', monitors)
    .execute();
}

/** With a rule about outages, nothing can have changed for those that are up and were never told of. */
async function down(trx: Transaction<Tables>, monitors: readonly number[]): Promise<number[]> {
  if (monitors.length === 0) return [];
  const rows = await trx
    .selectFrom('monitor_state')
    .select('monitor')
    .where('monitor', 'in', monitors)
    .where('status', '=', sql.lit('down'))
    .execute();
  return rows.map(({ monitor }) => monitor);
}
