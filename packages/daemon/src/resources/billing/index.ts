import type { Handlers } from '../handler.ts';
import { createPlan, deletePlan, listPlans, updatePlan } from './plans.ts';
import { createCheckout, getSubscription } from './subscription.ts';

/** All of billing except the webhook, which needs its body unparsed: see http/billing. */
export const billingHandlers: Handlers = {
  listPlans,
  getSubscription,
  createCheckout,
  createPlan,
  updatePlan,
  deletePlan,
};
