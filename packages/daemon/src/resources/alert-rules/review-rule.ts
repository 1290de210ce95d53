import type { Trigger } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import { mayBeSetDue, newReviewBudget, reviewAlerts, reviewLater } from '../../alerting/review-alerts.ts';
import { reviewDueAtOnce } from '../../alerting/load-facts.ts';
import type { Tables } from '../../store/tables.ts';

/**
 * Maximum number of monitors whose alerts are reviewed in one transaction. A rule may watch a thousand monitors, and
 * reviewing the alerts of all would take too long.
 */
const maxReviewed = 50;

interface Changed {
  /** The rule's `seq`. */
  rule: number;
  /** The rule's trigger now; null if the rule was deleted. */
  trigger: Trigger | null;
  /**
   * All monitors, by `seq`, that the rule watches now or watched before the change. The transaction locked them before
   * it read the rule.
   */
  monitors: readonly number[];
  now: number;
}

/**
 * Makes alerts agree with a rule that was created, changed or deleted. Reviews the alerts of some monitors in this
 * transaction. Makes the reviews of the other monitors due at once; engine/reviews.ts then runs them, one monitor at a
 * time. Alerts about certificates and domains are always reviewed later.
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
    if (budget.left <= 0 || reviewed >= maxReviewed) {
      await reviewLater(trx, inOrder.slice(reviewed));
      break;
    }
    await reviewAlerts(trx, monitor, { at: now, budget });
  }
  if (monitors.length === 0) return;
  // The alerts of monitors with a certificate or a domain are reviewed whatever the trigger of the rule is. A rule
  // about outages also sends alerts about certificates and domains, if no other rule of the monitor has the trigger for
  // them.
  await trx
    .updateTable('monitor_state')
    .set({ expiry_review_at: reviewDueAtOnce })
    .where('monitor', 'in', monitors)
    .where((row) => row.or([row('certificate', 'is not', null), row('domain', 'is not', null)]))
    .where(mayBeSetDue)
    .execute();
}

/**
 * Resolves with those of the monitors that are down. For a rule about outages, a monitor that is up and has no open
 * alert needs no review.
 */
async function whichAreDown(trx: Transaction<Tables>, monitors: readonly number[]): Promise<{ monitor: number }[]> {
  if (monitors.length === 0) return [];
  return trx
    .selectFrom('monitor_state')
    .select('monitor')
    .where('monitor', 'in', monitors)
    .where('status', '=', sql.lit('down'))
    .execute();
}
