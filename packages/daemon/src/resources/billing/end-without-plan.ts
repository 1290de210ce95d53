import { subscriptionsWithoutPlan } from '../../plans/account-plan.ts';
import type { Backend } from '../handler.ts';

/**
 * Ends subscriptions at the payment provider whose plan was deleted, of a user or of a plan, and refunds them. A
 * checkout that was open while its plan was deleted leads to such a subscription. Throws `delivery_failed` if the
 * provider refuses.
 */
export async function endWithoutPlan(
  { store, billing, deps }: Pick<Backend, 'store' | 'billing' | 'deps'>,
  of: { user: string } | { plan: string },
): Promise<void> {
  if (!billing) return;
  for (const { id, user_id: user, plan_id: plan } of await subscriptionsWithoutPlan(store.db, of)) {
    await billing.giveBack(id);
    deps.log.warn({ subscription: id, user, plan }, 'canceled a subscription whose plan was deleted, and refunded it');
  }
}
