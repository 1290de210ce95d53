import * as z from 'zod';
import { endpoints } from './endpoint.ts';
import { id, name, patchOf, timestamp } from './fields.ts';
import { noLimit, type PlanLimitName, planLimitNames, planLimits } from './plan-limits.ts';

const fields = {
  monitors: z.int().min(0).max(noLimit).describe(planLimits.monitors.docs),
  checkInterval: z
    .int()
    .min(1)
    .max(86_400)
    .describe('Shortest check interval, in seconds. It does not apply to heartbeats.'),
  regions: z
    .int()
    .min(1)
    .max(1000)
    .describe(
      'Maximum number of regions that a monitor may name. A monitor that names no region is checked from at most this many regions.',
    ),
  price: z
    .number()
    .min(0)
    .max(1_000_000)
    .describe('Price in US dollars per month, with at most two decimals; 0 for a free plan.'),
};

const limit = (name: PlanLimitName) =>
  z.int().min(0).max(noLimit).describe(`${planLimits[name].docs} ${noLimit} means no limit.`);

/** The limits that a plan may leave out. */
const limits = {
  projects: limit('projects'),
  channels: limit('channels'),
  alertRules: limit('alertRules'),
  statusPages: limit('statusPages'),
  customDomains: limit('customDomains'),
  incidents: limit('incidents'),
  openIncidents: limit('openIncidents'),
  maintenanceWindows: limit('maintenanceWindows'),
  keys: limit('keys'),
  storageMegabytes: limit('storageMegabytes'),
} satisfies Record<Exclude<PlanLimitName, 'monitors'>, z.ZodInt>;

export const planInput = z
  .strictObject({
    name,
    ...fields,
    projects: limits.projects.default(planLimits.projects.default),
    channels: limits.channels.default(planLimits.channels.default),
    alertRules: limits.alertRules.default(planLimits.alertRules.default),
    statusPages: limits.statusPages.default(planLimits.statusPages.default),
    customDomains: limits.customDomains.default(planLimits.customDomains.default),
    incidents: limits.incidents.default(planLimits.incidents.default),
    openIncidents: limits.openIncidents.default(planLimits.openIncidents.default),
    maintenanceWindows: limits.maintenanceWindows.default(planLimits.maintenanceWindows.default),
    keys: limits.keys.default(planLimits.keys.default),
    storageMegabytes: limits.storageMegabytes.default(planLimits.storageMegabytes.default),
  })
  .meta({ id: 'PlanInput' });
export const planPatch = z
  .strictObject({
    ...z.strictObject({ name, ...fields }).partial().shape,
    ...patchOf(z.strictObject(limits)).shape,
  })
  .meta({ id: 'PlanPatch' });
export const plan = z.object({ id: id('pln', 'plan'), name, ...fields, ...limits }).meta({ id: 'Plan' });

const used = z.number().min(0);
const dailyUse = z.object({
  used: z.int().min(0),
  limit: z.int().min(0).nullable().describe('Messages per day; null for no limit.'),
});
export const usage = z
  .object({
    plan: z.string().nullable().describe('Name of the plan whose limits are in force; null if nothing is limited.'),
    limits: z
      .array(
        z.object({
          name: z.enum(planLimitNames).describe('Name of the limit, as in a plan.'),
          scope: z
            .enum(['account', 'project'])
            .describe('`account`: counted over all projects of the account. `project`: counted in this project.'),
          unit: z.enum(['count', 'megabytes']),
          used,
          limit: z.int().min(0).nullable().describe('Null for no limit.'),
        }),
      )
      .describe('How much is used of each limit of the plan.'),
    perMonitor: z
      .object({
        checkInterval: z.int().min(1).nullable().describe('Shortest interval between checks, in seconds.'),
        regions: z.int().min(0).nullable().describe('Maximum number of regions that a monitor may name.'),
      })
      .describe('The limits of the plan on each monitor. Null for no limit.'),
    checks: z
      .object({
        perMinute: used.describe('Checks a minute, on average since the start of the last full hour.'),
        underWay: z.int().min(0).describe('Checks of the project that this server runs now.'),
        waiting: z.int().min(0).describe('Monitors of the project that are due and wait for their check.'),
      })
      .describe('The checks of the project. Projects share the server fairly.'),
    messages: z
      .object({ mails: dailyUse, calls: dailyUse.describe('SMS and calls.') })
      .describe("Messages through the operator's gateways. The budget for them refills evenly within a day."),
  })
  .meta({ id: 'Usage' });

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
  getUsage: {
    method: 'GET',
    path: '/usage',
    access: 'project',
    status: 200,
    summary: 'How much the project uses of each limit of its plan.',
    response: usage,
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
    ownRoute: true,
    body: z.record(z.string(), z.unknown()),
    response: z.object({ received: z.literal(true) }),
    errors: ['not_found', 'delivery_failed'],
  },
});
