import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { id, name, timestamp } from './fields.ts';

const limits = {
  monitors: z.int().min(0).max(1_000_000).describe('Monitors allowed, over all projects of an account.'),
  checkInterval: z
    .int()
    .min(1)
    .max(86_400)
    .describe('Shortest check interval, in seconds; heartbeats are not checked and have none.'),
  regions: z
    .int()
    .min(1)
    .max(1000)
    .describe('Regions that a monitor may name; one that names none is checked from as many.'),
  price: z.number().min(0).max(1_000_000).describe('US dollars a month, with at most two decimals; 0 for a free plan.'),
};

export const planInput = z.strictObject({ name, ...limits }).meta({ id: 'PlanInput' });
export const planPatch = planInput.partial().meta({ id: 'PlanPatch' });
export const plan = z.object({ id: id('pln', 'plan'), name, ...limits }).meta({ id: 'Plan' });
export const subscription = z
  .object({
    planId: z.string(),
    status: z.enum(['active', 'past_due', 'canceled']),
    currentPeriodStart: timestamp,
    currentPeriodEnd: timestamp,
  })
  .meta({ id: 'Subscription' });
export const checkoutInput = z.strictObject({ planId: z.string().min(1).max(100) }).meta({ id: 'CheckoutInput' });
export const checkout = z.object({ checkoutUrl: z.string().describe('Where the user pays.') }).meta({ id: 'Checkout' });

export const billingEndpoints = endpoints({
  listPlans: {
    method: 'GET',
    path: '/billing/plans',
    access: 'public',
    status: 200,
    summary: 'List plans.',
    response: z.array(plan),
  },
  getSubscription: {
    method: 'GET',
    path: '/billing/subscription',
    access: 'session',
    status: 200,
    summary: 'The subscription of the signed-in user.',
    response: subscription,
  },
  createCheckout: {
    method: 'POST',
    path: '/billing/checkout',
    access: 'session',
    status: 200,
    summary: 'Begin a payment.',
    body: checkoutInput,
    response: checkout,
    errors: ['conflict', 'delivery_failed'],
  },
  createPlan: {
    method: 'POST',
    path: '/billing/plans',
    access: 'admin',
    status: 201,
    creates: true,
    summary: 'Create a plan.',
    body: planInput,
    response: plan,
  },
  updatePlan: {
    method: 'PATCH',
    path: '/billing/plans/:planId',
    access: 'admin',
    status: 200,
    summary: 'Change a plan.',
    body: planPatch,
    response: plan,
    errors: ['conflict'],
  },
  deletePlan: {
    method: 'DELETE',
    path: '/billing/plans/:planId',
    access: 'admin',
    status: 204,
    summary: 'Delete a plan that nobody is subscribed to.',
    response: null,
    errors: ['conflict'],
  },
  billingWebhook: {
    method: 'POST',
    path: '/billing/webhook',
    access: 'public',
    status: 200,
    summary: 'Events of the payment provider; internal.',
    body: z.record(z.string(), z.unknown()),
    response: z.object({ received: z.literal(true) }),
    errors: ['not_found', 'delivery_failed'],
  },
});
