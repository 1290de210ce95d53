import { subscriptionsWithoutPlan } from '../../plans/account-plan.ts';
import type { Backend } from '../handler.ts';

/**
 * Cancels and refunds subscriptions whose plan was deleted. `of` selects the subscriptions of one user, or the
 * subscriptions to one plan. Such a subscription exists if a user paid on a checkout that was open while the plan was
 * deleted. Throws `delivery_failed` if the payment provider refuses.
 */
export async function endWithoutPlan(
  { store, billing, deps }: Pick<Backend, 'store' | 'billing' | 'deps'>,
  of: { user: string } | { plan: string },
): Promise<void> {
  if (!billing) return;
  for (const { id, user_id: user, plan_id: plan } of await subscriptionsWithoutPlan(store.db, of)) {
    await billing.cancelAndRefund(id);
    deps.log.warn({ subscription: id, user, plan }, 'canceled a subscription whose plan was deleted, and refunded it');
  }
}
