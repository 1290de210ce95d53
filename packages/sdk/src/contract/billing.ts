import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { id, name, timestamp } from './fields.ts';

const limits = {
  monitors: z.int().min(0).max(1_000_000).describe('Monitors allowed across all projects of an account.'),
  checkInterval: z
    .int()
    .min(1)
    .max(86_400)
    .describe('Shortest check interval, in seconds. It does not apply to heartbeats.'),
  regions: z
    .int()
    .min(1)
    .max(1000)
    .describe('Regions that a monitor may name. A monitor that names none is checked from this many.'),
  price: z
    .number()
    .min(0)
    .max(1_000_000)
    .describe('Price in US dollars per month, with at most two decimals; 0 for a free plan.'),
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
export const checkout = z
  .object({ checkoutUrl: z.string().describe('Address at which the user pays.') })
  .meta({ id: 'Checkout' });

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
    summary: 'Read the subscription of the signed-in user.',
    response: subscription,
  },
  createCheckout: {
    method: 'POST',
    path: '/billing/checkout',
    access: 'session',
    status: 200,
    summary: 'Start a payment.',
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
    summary: 'Delete a plan without subscribers.',
    response: null,
    errors: ['conflict'],
  },
  billingWebhook: {
    method: 'POST',
    path: '/billing/webhook',
    access: 'public',
    status: 200,
    summary: 'Receive an event of the payment provider; internal.',
    body: z.record(z.string(), z.unknown()),
    response: z.object({ received: z.literal(true) }),
    errors: ['not_found', 'delivery_failed'],
  },
});
