import * as z from 'zod';
import { endpoints } from './endpoint.ts';
import { fieldFacts, filters, id, key, managedBy, name, paging, patchOf, range, timestamp } from './fields.ts';

export const triggers = [
  'monitor_down',
  'ssl_expiring',
  'ssl_expired',
  'ssl_invalid',
  'domain_expiring',
  'domain_expired',
] as const;
export type Trigger = (typeof triggers)[number];

/**
 * Maximum number of alerts that an outage of a monitor opens: one for each channel of each rule with this monitor.
 */
export const maxAlertsPerMonitor = 500;

const fields = {
  key,
  managedBy,
  name,
  monitorIds: z.array(z.string()).max(1000).describe('Monitors that the rule watches, without repetitions.'),
  channelIds: z.array(z.string()).max(100).describe('Channels that the rule notifies, without repetitions.'),
  trigger: z.enum(triggers).default('monitor_down').describe('Event that fires the alert.'),
  consecutiveFailures: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe(
      'Failed rounds in a row before the alert fires. With one region, a round is one check. Values above 1 are only for the trigger `monitor_down`.',
    ),
  notifyOnRecovery: z.boolean().default(true).describe('Whether a message is sent when the monitor recovers.'),
  reminderInterval: z
    .int()
    .min(1)
    .max(604_800)
    .nullable()
    .default(null)
    .describe('Seconds between reminders while the alert is open; null for no reminders.')
    .register(fieldFacts, { unit: 'seconds' }),
  expiryAlerts: z
    .boolean()
    .default(true)
    .describe(
      'Whether a `monitor_down` rule also sends certificate and domain alerts, except those that another rule for the monitor sends.',
    ),
  enabled: z.boolean().default(true).describe('Whether the rule opens alerts.'),
};

export const alertRuleInput = z.strictObject(fields).meta({ id: 'AlertRuleInput' });
export type AlertRuleFields = z.output<typeof alertRuleInput>;
export const alertRulePatch = patchOf(z.strictObject(fields)).meta({ id: 'AlertRulePatch' });
export const alertRule = z
  .object({
    id: id('rul', 'rule'),
    key: z.string().nullable(),
    managedBy: z.string().nullable(),
    name,
    monitorIds: fields.monitorIds,
    channelIds: fields.channelIds,
    trigger: z.enum(triggers),
    consecutiveFailures: z.int(),
    notifyOnRecovery: z.boolean(),
    reminderInterval: z.int().nullable(),
    expiryAlerts: z.boolean(),
    enabled: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'AlertRule' });

export const deliveryStatuses = ['pending', 'sent', 'failed'] as const;

export const alert = z
  .object({
    id: id('alr', 'alert'),
    ruleId: z.string(),
    ruleName: z.string().describe('Name of the rule when the alert opened; kept after the rule is deleted.'),
    monitorId: z.string(),
    monitorName: z.string(),
    channelId: z.string(),
    channelName: z.string(),
    type: z.enum(triggers),
    triggeredAt: timestamp,
    resolvedAt: timestamp.nullable().describe('Null while the alert is open.'),
    deliveryStatus: z.enum(deliveryStatuses).describe('Whether the alarm was delivered.'),
    error: z.string().nullable().describe('Why the latest message about this alert was not delivered.'),
  })
  .meta({ id: 'Alert' });

export const deliveryKinds = ['alarm', 'reminder', 'recovery', 'close'] as const;

export const delivery = z
  .object({
    id: id('dlv', 'delivery').describe('Stays the same at every attempt, so that a receiver can recognise duplicates.'),
    alertId: z.string(),
    monitorName: z.string(),
    channelId: z.string(),
    channelName: z.string(),
    kind: z
      .enum(deliveryKinds)
      .describe('`close` closes the incident at a paging service if the alert ends without a recovery message.'),
    status: z.enum(deliveryStatuses),
    createdAt: timestamp,
    nextAttemptAt: timestamp
      .nullable()
      .describe(
        'Null when the delivery is finished, and while it waits for an earlier delivery of the same rule, monitor and channel.',
      ),
    finishedAt: timestamp.nullable(),
    attempts: z
      .array(
        z.object({
          at: timestamp,
          duration: z.number().describe('Milliseconds.'),
          status: z.int().nullable().describe('HTTP status, or the reply code of the mail server.'),
          text: z.string().describe('The answer of the provider, at most 200 characters.'),
        }),
      )
      .describe('Oldest first.'),
  })
  .meta({ id: 'Delivery' });

export const alertRuleEndpoints = endpoints({
  listAlertRules: {
    method: 'GET',
    path: '/alert-rules',
    access: 'project',
    status: 200,
    summary: 'List alert rules.',
    query: z.strictObject({ ...paging, ...filters }),
    response: z.array(alertRule),
  },
  createAlertRule: {
    method: 'POST',
    path: '/alert-rules',
    access: 'project',
    scope: 'apply',
    status: 201,
    creates: true,
    summary: 'Create an alert rule.',
    body: alertRuleInput,
    response: alertRule,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  updateAlertRule: {
    method: 'PATCH',
    path: '/alert-rules/:ruleId',
    access: 'project',
    scope: 'apply',
    status: 200,
    summary: 'Change an alert rule.',
    body: alertRulePatch,
    response: alertRule,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  deleteAlertRule: {
    method: 'DELETE',
    path: '/alert-rules/:ruleId',
    access: 'project',
    scope: 'apply',
    status: 204,
    summary: 'Delete an alert rule.',
    response: null,
  },
  listAlertHistory: {
    method: 'GET',
    path: '/alert-history',
    access: 'project',
    status: 200,
    summary: 'List past and open alerts, in order of time.',
    query: range(30),
    response: z.array(alert),
  },
  getAlert: {
    method: 'GET',
    path: '/alert-history/:alertId',
    access: 'project',
    status: 200,
    summary: 'Read an alert.',
    response: alert,
  },
  listDeliveries: {
    method: 'GET',
    path: '/deliveries',
    access: 'project',
    status: 200,
    summary: 'List deliveries with their attempts, oldest first.',
    query: z.strictObject({
      alertId: z.string().max(63).optional().describe('Return only deliveries of this alert.'),
      status: z.enum(deliveryStatuses).optional().describe('Return only deliveries in this status.'),
      ...paging,
    }),
    response: z.array(delivery),
  },
  redeliver: {
    method: 'POST',
    path: '/deliveries/:deliveryId/redeliver',
    access: 'project',
    scope: 'apply',
    status: 200,
    summary: 'Send a finished delivery again, with the same id.',
    response: delivery,
    errors: ['conflict', 'rate_limited'],
    maxPerMinute: 60,
  },
});
