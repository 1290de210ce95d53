import { subscriptionsWithoutPlan } from '../../operations/billing/account-plan.ts';
import type { Backend } from '../handler.ts';

/**
 * Nobody pays for what is not there: ends, at the payment provider, the subscriptions of a user, or to a plan, whose
 * plan is gone, and has it given back. A checkout that was open while the plan was deleted leads to such a one. Throws
 * `delivery_failed` when the provider refuses.
 */
export async function endWithoutPlan(
  { store, billing, deps }: Pick<Backend, 'store' | 'billing' | 'deps'>,
  of: { user: string } | { plan: string },
): Promise<void> {
  if (!billing) return;
  for (const { id, user_id: user, plan_id: plan } of await subscriptionsWithoutPlan(store.db, of)) {
    await billing.giveBack(id);
    deps.log.warn(
      { subscription: id, user, plan },
      'canceled a subscription whose plan is gone, and gave the payment back',
    );
  }
}
