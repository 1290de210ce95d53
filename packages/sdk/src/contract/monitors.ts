import { z } from 'zod';
import { checkError, checkResult } from './check-results.ts';
import { endpoints } from './endpoint.ts';
import { filters, id, paging, timestamp } from './fields.ts';
import {
  dnsFields,
  heartbeatFields,
  httpFields,
  monitorInput,
  monitorPatch,
  pingFields,
  tcpFields,
} from './monitor-fields.ts';

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

const state = {
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
};

/** The fields of a monitor in a response: every default is filled in, and labels and lists are never null. */
const filled = <S extends z.ZodRawShape>(fields: S) => {
  const shape: Record<string, z.ZodType> = {};
  for (const [field, type] of Object.entries(fields)) {
    const bare = type instanceof z.ZodDefault ? (type.unwrap() as z.ZodType) : (type as z.ZodType);
    const value = field === 'regions' ? (bare as z.ZodNullable<z.ZodType>).unwrap() : bare;
    const description = (type as z.ZodType).description;
    shape[field] = description === undefined ? value : value.describe(description);
  }
  return shape as {
    [F in keyof S]: S[F] extends z.ZodDefault<infer T> ? (F extends 'regions' ? z.ZodArray<z.ZodString> : T) : S[F];
  };
};

export const httpMonitor = z
  .object({
    ...filled(httpFields),
    ...state,
    secretsError: z
      .string()
      .nullable()
      .describe('Why the daemon cannot read secrets of this monitor, and so cannot check it. Null otherwise.'),
    certificate: certificate.nullable(),
    domain: domain.nullable(),
  })
  .meta({ id: 'HttpMonitor' });
const onDomain = { domain: domain.nullable().describe('Null if the host name belongs to no registrable domain.') };
export const dnsMonitor = z.object({ ...filled(dnsFields), ...state, ...onDomain }).meta({ id: 'DnsMonitor' });
export const tcpMonitor = z.object({ ...filled(tcpFields), ...state, ...onDomain }).meta({ id: 'TcpMonitor' });
export const pingMonitor = z.object({ ...filled(pingFields), ...state, ...onDomain }).meta({ id: 'PingMonitor' });
export const heartbeatMonitor = z
  .object({
    ...filled(heartbeatFields),
    ...state,
    pingUrl: z.string().describe('`{site_url}/ping/<PING_TOKEN>`; the token is the credential.'),
    lastPingAt: timestamp.nullable(),
  })
  .meta({ id: 'HeartbeatMonitor' });

export const monitor = z
  .discriminatedUnion('type', [httpMonitor, dnsMonitor, tcpMonitor, pingMonitor, heartbeatMonitor])
  .meta({ id: 'Monitor' });

export const monitorEvent = z
  .object({
    timestamp,
    from: z.enum(monitorStatuses),
    to: z.enum(monitorStatuses),
    error: checkError.nullable().describe('Why the monitor went down.'),
  })
  .meta({ id: 'MonitorEvent' });

export const monitorEndpoints = endpoints({
  listMonitors: {
    method: 'GET',
    path: '/monitors',
    access: 'project',
    status: 200,
    summary: 'List the monitors of the project, oldest first.',
    query: z.strictObject({ ...paging, ...filters }),
    response: z.array(monitor),
  },
  getMonitor: {
    method: 'GET',
    path: '/monitors/:monitorId',
    access: 'project',
    status: 200,
    summary: 'Read a monitor.',
    response: monitor,
  },
  createMonitor: {
    method: 'POST',
    path: '/monitors',
    access: 'project',
    status: 201,
    creates: true,
    summary: 'Create a monitor; it is checked within two seconds.',
    body: monitorInput,
    response: monitor,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  updateMonitor: {
    method: 'PATCH',
    path: '/monitors/:monitorId',
    access: 'project',
    status: 200,
    summary: 'Change any subset of the fields of a monitor.',
    body: monitorPatch,
    response: monitor,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  deleteMonitor: {
    method: 'DELETE',
    path: '/monitors/:monitorId',
    access: 'project',
    status: 204,
    summary: 'Delete a monitor and its history.',
    response: null,
  },
  checkMonitor: {
    method: 'POST',
    path: '/monitors/:monitorId/check',
    access: 'project',
    status: 200,
    summary: 'Run one check now and return its result.',
    response: checkResult,
    errors: ['conflict', 'rate_limited'],
  },
});
