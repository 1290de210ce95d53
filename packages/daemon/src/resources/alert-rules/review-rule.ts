import type { Trigger } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import { mayBeSetDue, newReviewBudget, reviewAlerts, reviewLater } from '../../alerting/review-alerts.ts';
import { reviewDueAtOnce } from '../../alerting/load-facts.ts';
import type { Tables } from '../../store/tables.ts';

/** Maximum number of monitors that are reviewed in one transaction. A rule may watch a thousand. */
const mostReviewed = 50;

interface Changed {
  /** The rule's seq. */
  rule: number;
  /** The rule's trigger now; null if the rule was deleted. */
  trigger: Trigger | null;
  /** Seqs of all monitors that the rule watches or watched. The transaction locked them before it read the rule. */
  monitors: readonly number[];
  now: number;
}

/**
 * Brings alerts in line with a rule that was created, changed or deleted: some in the same transaction, the others a
 * second later, one monitor at a time (engine/reviews). Certificates and domains are always reviewed later.
 */
export async function reviewRule(trx: Transaction<Tables>, { rule, trigger, monitors, now }: Changed): Promise<void> {
  const withAlert = await trx
    .selectFrom('alert')
    .select('monitor')
    .distinct()
    .where('rule', '=', rule)
    .where('resolved_at', 'is', null)
    .execute();
  const down = trigger === 'monitor_down' ? await whichAreDown(trx, monitors) : [];
  const concerned = new Set([...withAlert, ...down].map(({ monitor }) => monitor));
  const budget = newReviewBudget();
  const inOrder = [...concerned].toSorted((a, b) => a - b);
  for (const [reviewed, monitor] of inOrder.entries()) {
    if (budget.left <= 0 || reviewed >= mostReviewed) {
      await reviewLater(trx, inOrder.slice(reviewed));
      break;
    }
    await reviewAlerts(trx, monitor, { at: now, budget });
  }
  if (monitors.length === 0) return;
  // Monitors with a certificate or a domain are reviewed for any rule: a rule about outages also reports these faults,
  // unless another rule has the trigger for them.
  await trx
    .updateTable('monitor_state')
    .set({ expiry_review_at: reviewDueAtOnce })
    .where('monitor', 'in', monitors)
    .where((row) => row.or([row('certificate', 'is not', null), row('domain', 'is not', null)]))
    .where(mayBeSetDue)
    .execute();
}

/** The monitors that are down. A monitor that is up and has no open alert needs no review for a rule about outages. */
async function whichAreDown(trx: Transaction<Tables>, monitors: readonly number[]): Promise<{ monitor: number }[]> {
  if (monitors.length === 0) return [];
  return trx
    .selectFrom('monitor_state')
    .select('monitor')
    .where('monitor', 'in', monitors)
    .where('status', '=', sql.lit('down'))
    .execute();
}
