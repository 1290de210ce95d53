import type { Handlers } from '../handler.ts';
import { createPlan, deletePlan, listPlans, updatePlan } from './plans.ts';
import { createCheckout, getSubscription } from './subscription.ts';

/**
 * All handlers of billing except the one for the provider's webhook, which needs its body unparsed (see the folder
 * http).
 */
export const billingHandlers = {
  listPlans,
  getSubscription,
  createCheckout,
  createPlan,
  updatePlan,
  deletePlan,
} satisfies Handlers;
