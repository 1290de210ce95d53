import * as z from 'zod';
import { checkError } from '../check-results.ts';
import { id, timestamp } from '../fields.ts';
import type { ReadOnlyField } from './define-monitor-type.ts';

export const monitorStatuses = ['pending', 'up', 'down', 'paused'] as const;
export type MonitorStatus = (typeof monitorStatuses)[number];

export const certificate = z
  .object({
    validFrom: timestamp,
    validTo: timestamp,
    issuer: z.string(),
    subject: z.string(),
    daysRemaining: z.int().describe('Whole days until `validTo`; negative once expired.'),
    valid: z.boolean().describe('Whether chain, host name and dates were valid at the last check.'),
    error: z.string().nullable().describe('Why the certificate is not valid.'),
  })
  .meta({ id: 'Certificate' });

export const domain = z
  .object({
    name: z.string().describe('The registrable domain.'),
    expiresAt: timestamp.nullable(),
    registrar: z.string().nullable(),
    daysRemaining: z.int().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'Domain' });

export const regionResult = z
  .object({
    region: z.string(),
    status: z
      .enum(['up', 'down', 'unknown'])
      .describe(
        "The verdict of the region's latest check. `unknown` if the region has never reported, if it has not reported for three intervals, or if the monitor is paused.",
      ),
    responseTime: z.number().nullable().describe('Milliseconds.'),
    statusCode: z.int().nullable(),
    error: checkError.nullable(),
    checkedAt: timestamp.nullable().describe("When the region's latest check ended."),
  })
  .meta({ id: 'RegionResult' });

/** The read-only fields that every type of monitor has. */
export const stateFields = {
  id: id('mon', 'monitor'),
  projectId: id('prj', 'project'),
  status: z.enum(monitorStatuses),
  pausedReason: z
    .enum(['plan'])
    .nullable()
    .describe('`plan` while the monitor is paused because it exceeds the limits of the plan. Otherwise null.'),
  createdAt: timestamp,
  updatedAt: timestamp,
  lastCheckedAt: timestamp.nullable(),
  nextCheckAt: timestamp
    .nullable()
    .describe('When the next check is due. For a heartbeat: when it is marked down if no ping arrives.'),
  regionResults: z
    .array(regionResult)
    .optional()
    .describe(
      'The latest result of each region. Only in the response to a GET of one monitor, and not for a heartbeat.',
    ),
};

/** The read-only fields that only some types have. Each type selects some of them. The daemon computes the values. */
export const readOnlyFields = {
  secretsError: z
    .string()
    .nullable()
    .describe('Why the daemon cannot read secrets of this monitor, and so cannot check it. Null otherwise.'),
  certificate: certificate.nullable(),
  domain: domain.nullable().describe('Null if the host name belongs to no registrable domain.'),
  pingUrl: z.string().describe('`{site_url}/ping/<PING_TOKEN>`; the token is the credential.'),
  lastPingAt: timestamp.nullable(),
} satisfies Record<ReadOnlyField, z.ZodType>;
