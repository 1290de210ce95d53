import type { Handlers } from '../handler.ts';
import { createPlan, deletePlan, listPlans, updatePlan } from './plans.ts';
import { createCheckout, getSubscription } from './subscription.ts';

/** All of billing except the webhook, which needs its body unparsed: see http/billing. */
export const billingHandlers = {
  listPlans,
  getSubscription,
  createCheckout,
  createPlan,
  updatePlan,
  deletePlan,
} satisfies Handlers;
