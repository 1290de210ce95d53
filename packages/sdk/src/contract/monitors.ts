import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import {
  date,
  filters,
  id,
  key,
  labels,
  line,
  name,
  paging,
  patchOf,
  requestHeaders,
  timestamp,
  webAddress,
} from './fields.ts';

export const monitorTypes = ['http', 'dns', 'tcp', 'ping', 'heartbeat'] as const;
export const monitorStatuses = ['pending', 'up', 'down', 'paused'] as const;

/** Why a check failed. `internal` is a fault of the checker itself: never a verdict. */
export const checkErrorCodes = [
  'dns_not_found',
  'dns_no_data',
  'dns_server_failure',
  'dns_refused',
  'dns_timeout',
  'dns_bad_response',
  'dns_value_mismatch',
  'connect_refused',
  'connect_timeout',
  'unreachable',
  'reset',
  'timeout',
  'tls_expired',
  'tls_not_yet_valid',
  'tls_hostname',
  'tls_untrusted',
  'tls_incomplete_chain',
  'tls_purpose',
  'tls_weak',
  'tls_protocol',
  'tls_client_cert',
  'tls_other',
  'http_status',
  'http_body_mismatch',
  'http_protocol',
  'http_redirect',
  'http_decode',
  'http_incomplete',
  'http_too_large',
  'blocked_target',
  'no_ping',
  'internal',
] as const;

export const checkError = z
  .object({
    code: z.enum(checkErrorCodes),
    message: z.string().describe('One line, at most 300 characters.'),
  })
  .meta({ id: 'CheckError' });

const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

const text = (max: number, what: string) =>
  z
    .string()
    .min(1, { error: `must not be empty: leave it out, or send null` })
    .max(max, { error: `must be at most ${max} characters` })
    .nullable()
    .default(null)
    .describe(what);

const host = (what: string) =>
  z
    .string()
    .regex(/^[^\s/?#@\\[\]\p{Cc}]{1,253}$/u, {
      error: 'must be a host name or an IP address, without scheme, port, path or brackets',
    })
    .describe(what);

const common = (timeout: number) => ({
  key,
  name,
  description: z
    .string()
    .max(2000, { error: 'must be at most 2000 characters' })
    .nullable()
    .default(null)
    .describe('Notes of your own.'),
  labels: labels.default({}),
  interval: whole(1, 86_400).default(60).describe('Seconds between checks.'),
  timeout: whole(1, 120).default(timeout).describe('Most seconds a check may take.'),
  retries: whole(0, 5).default(0).describe('Quick re-checks before a check counts as failed.'),
  regions: z
    .array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, { error: 'must be a region name: a-z 0-9 -' }))
    .max(50)
    .nullable()
    .default([])
    .describe('Regions that run the check; empty for all.'),
  paused: z.boolean().default(false).describe('Not checked, opens no alert, counts in no uptime.'),
});

const statusCode = whole(100, 599);
const one = '(?:[1-5][0-9]{2}(?:-[1-5][0-9]{2})?|[1-5][xX]{2})';
const statusText = z.string().regex(new RegExp(`^\\s*${one}(?:\\s*,\\s*${one})*\\s*$`), {
  error: 'must be a code (200), a class ("2xx"), a range ("200-299") or a comma list of these',
});

const httpFields = {
  type: z.literal('http'),
  ...common(30),
  url: webAddress.describe('Full URL to request.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).default('GET').describe('HTTP method.'),
  expectedStatus: z
    .union(
      [
        statusCode,
        statusText,
        z
          .array(z.union([statusCode, statusText]))
          .min(1)
          .max(50),
      ],
      {
        error: 'must be a code (200), a class ("2xx"), a range ("200-299"), a comma list, or an array of these',
      },
    )
    .default('200-299')
    .describe('Status codes that count as success: a code, a class, a range, a comma list, or an array of these.'),
  bodyContains: text(10_000, 'Text that must occur in the response body.'),
  headers: requestHeaders.default({}).describe('Request headers, name to value.'),
  body: text(100_000, 'Request body, sent with POST, PUT and PATCH.'),
  verifyTls: z
    .boolean()
    .default(true)
    .describe('False: an invalid certificate does not fail the check; certificate alerts stay in force.'),
  sslExpiryThreshold: whole(1, 365).default(14).describe('Days before expiry at which the certificate alert fires.'),
  domainExpiryThreshold: whole(1, 365).default(30).describe('Days before expiry at which the domain alert fires.'),
  domainExpiresOn: date
    .nullable()
    .default(null)
    .describe('When the domain registration expires, for registries that do not say; goes before what they say.'),
};

const dnsFields = {
  type: z.literal('dns'),
  ...common(10),
  hostname: host('Domain to query.'),
  recordType: z.enum(['A', 'AAAA', 'CNAME', 'MX', 'TXT']).default('A').describe('Record type to query.'),
  expectedValue: text(4096, 'Value that one of the returned records must match.'),
  nameserver: z
    .string()
    .regex(/^[^\s/?#@\\\p{Cc}]{1,270}$/u, { error: 'must be host[:port], such as 9.9.9.9 or [2620:fe::fe]:53' })
    .nullable()
    .default(null)
    .describe("Name server to ask, `host[:port]`; default: the checker's own."),
};

const tcpFields = {
  type: z.literal('tcp'),
  ...common(10),
  host: host('Host name or IP address.'),
  port: whole(1, 65_535).describe('TCP port.'),
};

const pingFields = {
  type: z.literal('ping'),
  ...common(10),
  host: host('Host name or IP address; TCP port 80 is tried.'),
};

const heartbeatFields = {
  type: z.literal('heartbeat'),
  ...common(10),
  interval: whole(1, 2_592_000).default(60).describe('Seconds between expected pings.'),
  gracePeriod: whole(0, 604_800).default(30).describe('Seconds of extra waiting before the monitor is marked down.'),
};

export const httpMonitorInput = z.strictObject(httpFields).meta({ id: 'HttpMonitorInput' });
export const dnsMonitorInput = z.strictObject(dnsFields).meta({ id: 'DnsMonitorInput' });
export const tcpMonitorInput = z.strictObject(tcpFields).meta({ id: 'TcpMonitorInput' });
export const pingMonitorInput = z.strictObject(pingFields).meta({ id: 'PingMonitorInput' });
export const heartbeatMonitorInput = z.strictObject(heartbeatFields).meta({ id: 'HeartbeatMonitorInput' });

/** The create schema of each type. */
export const monitorInputs = {
  http: httpMonitorInput,
  dns: dnsMonitorInput,
  tcp: tcpMonitorInput,
  ping: pingMonitorInput,
  heartbeat: heartbeatMonitorInput,
} as const;

export const monitorInput = z
  .discriminatedUnion('type', [
    httpMonitorInput,
    dnsMonitorInput,
    tcpMonitorInput,
    pingMonitorInput,
    heartbeatMonitorInput,
  ])
  .meta({ id: 'MonitorInput', description: 'What creates a monitor: the fields of its type.' });

export type MonitorType = (typeof monitorTypes)[number];
export type MonitorStatus = (typeof monitorStatuses)[number];
export type CheckErrorCode = (typeof checkErrorCodes)[number];
export type CheckError = z.output<typeof checkError>;
/** A monitor's own fields with their defaults filled in, by type. */
export type MonitorFields<T extends MonitorType = MonitorType> = z.output<(typeof monitorInputs)[T]>;

/** A merge patch of a map: entries are set one by one, null takes one out, and null for the whole takes all out. */
const entries = <K extends z.ZodString, V extends z.ZodString>(names: K, values: V) =>
  z.record(names, values.nullable()).nullable().optional();

/** Any subset of the fields of the monitor's own type; which those are is checked against the stored monitor. */
export const monitorPatch = patchOf(
  z.strictObject({
    ...pingFields,
    ...tcpFields,
    ...dnsFields,
    ...httpFields,
    ...heartbeatFields,
    type: z.enum(monitorTypes).describe('A type cannot be changed: only its own value is taken.'),
  }),
)
  .extend({
    labels: entries(line(63), labels.valueType).describe('Labels to set; null takes one out.'),
    headers: entries(requestHeaders.keyType, requestHeaders.valueType).describe(
      'Request headers to set; null takes one out.',
    ),
  })
  .meta({
    id: 'MonitorPatch',
    description: 'A JSON merge patch (RFC 7396): absent leaves as it is, null brings the default back.',
  });

export const certificate = z
  .object({
    validFrom: timestamp,
    validTo: timestamp,
    issuer: z.string(),
    subject: z.string(),
    daysRemaining: z.int().describe('Whole days until `validTo`; negative once expired.'),
    valid: z.boolean().describe('Whether chain, host name and dates were valid at the last check.'),
    error: z.string().nullable().describe('Why it is not valid.'),
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
    .describe('`plan`: paused because it is beyond what the plan allows, until the plan allows it. Null otherwise.'),
  createdAt: timestamp,
  updatedAt: timestamp,
  lastCheckedAt: timestamp.nullable(),
  nextCheckAt: timestamp
    .nullable()
    .describe('When the next check is due; for a heartbeat, when it would be marked down.'),
};

/** What a read answers: the type's fields, every default filled in, and the state. Labels and lists are never null. */
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
  .object({ ...filled(httpFields), ...state, certificate: certificate.nullable(), domain: domain.nullable() })
  .meta({ id: 'HttpMonitor' });
export const dnsMonitor = z.object({ ...filled(dnsFields), ...state }).meta({ id: 'DnsMonitor' });
export const tcpMonitor = z.object({ ...filled(tcpFields), ...state }).meta({ id: 'TcpMonitor' });
export const pingMonitor = z.object({ ...filled(pingFields), ...state }).meta({ id: 'PingMonitor' });
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

export const timings = z
  .object({
    dns: z.number().nullable(),
    connect: z.number().nullable(),
    tls: z.number().nullable(),
    firstByte: z.number().nullable(),
    download: z.number().nullable(),
  })
  .meta({ id: 'Timings', description: 'Milliseconds spent in each phase; null for a phase that did not happen.' });

export const checkResult = z
  .object({
    status: z.enum(['up', 'down', 'internal']).describe('`internal`: a fault of the checker itself, no verdict.'),
    checkedAt: timestamp,
    region: z.string(),
    responseTime: z.number().nullable().describe('Milliseconds.'),
    statusCode: z.int().nullable(),
    error: checkError.nullable(),
    timings: timings.nullable(),
    trace: z
      .array(z.object({ at: z.number().describe('Milliseconds from the start.'), event: z.string() }))
      .describe('What the check did, step by step.'),
  })
  .meta({ id: 'CheckResult' });

export const monitorEvent = z
  .object({
    timestamp,
    from: z.enum(monitorStatuses),
    to: z.enum(monitorStatuses),
    error: checkError.nullable().describe('Why, for a change to down.'),
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
    summary: 'Delete a monitor and its past.',
    response: null,
  },
  checkMonitor: {
    method: 'POST',
    path: '/monitors/:monitorId/check',
    access: 'project',
    status: 200,
    summary: 'Run one check now and answer its result.',
    response: checkResult,
    errors: ['conflict'],
  },
});
