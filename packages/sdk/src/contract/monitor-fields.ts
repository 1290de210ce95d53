import { z } from 'zod';
import { date, key, knownOnly, labels, line, name, patchOf, requestHeaders, webAddress } from './fields.ts';

export const monitorTypes = ['http', 'dns', 'tcp', 'ping', 'heartbeat'] as const;

/** Days before a domain expires at which its alert fires, unless the monitor sets its own threshold. */
export const defaultDomainExpiryThreshold = 30;

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
    .describe('Your own notes.'),
  labels: labels.default({}),
  interval: whole(1, 86_400).default(60).describe('Seconds between checks.'),
  timeout: whole(1, 120).default(timeout).describe('Maximum seconds that a check may take.'),
  retries: whole(0, 5).default(0).describe('Quick re-checks before a check counts as failed.'),
  regions: z
    .array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, { error: 'must be a region name: a-z 0-9 -' }))
    .max(50)
    .nullable()
    .default([])
    .describe('Regions that run the check; empty for all.'),
  paused: z
    .boolean()
    .default(false)
    .describe('Whether the monitor is paused: no checks, no alerts, not counted in uptime.'),
});

const statusCode = whole(100, 599);
const one = '(?:[1-5][0-9]{2}(?:-[1-5][0-9]{2})?|[1-5][xX]{2})';
const statusText = z.string().regex(new RegExp(`^\\s*${one}(?:\\s*,\\s*${one})*\\s*$`), {
  error: 'must be a code (200), a class ("2xx"), a range ("200-299") or a comma list of these',
});

/** The input fields of an http monitor. */
export const httpFields = {
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
    .describe('Whether an invalid certificate fails the check. Certificate alerts are sent either way.'),
  sslExpiryThreshold: whole(1, 365).default(14).describe('Days before expiry at which the certificate alert fires.'),
  domainExpiryThreshold: whole(1, 365)
    .default(defaultDomainExpiryThreshold)
    .describe('Days before expiry at which the domain alert fires.'),
  domainExpiresOn: date
    .nullable()
    .default(null)
    .describe('Expiry date of the domain, for registries that do not publish it. It overrides what the registry says.'),
};

/** The input fields of a dns monitor. */
export const dnsFields = {
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
    .describe("Name server to ask, as `host[:port]`. Default: the checker's own."),
};

/** The input fields of a tcp monitor. */
export const tcpFields = {
  type: z.literal('tcp'),
  ...common(10),
  host: host('Host name or IP address.'),
  port: whole(1, 65_535).describe('TCP port.'),
};

/** The input fields of a ping monitor. */
export const pingFields = {
  type: z.literal('ping'),
  ...common(10),
  host: host('Host name or IP address; TCP port 80 is tried.'),
};

/** The input fields of a heartbeat monitor. */
export const heartbeatFields = {
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
  .meta({ id: 'MonitorInput', description: 'Input that creates a monitor. The type decides which fields it has.' });

/**
 * Validates an input whose type is missing or unknown. Fields that all types share are checked against their widest
 * limits. Fields that only some types have count as known, with any value.
 */
export const untypedMonitorInput = z.strictObject({
  ...knownOnly(httpFields, dnsFields, tcpFields, pingFields, heartbeatFields),
  ...common(10),
  interval: heartbeatFields.interval,
  type: z.enum(monitorTypes),
});

export type MonitorType = (typeof monitorTypes)[number];

/**
 * The fields of each type that may hold a secret. `headers.*` stands for every value in `headers`; in `url`, only the
 * credentials are secret. The API returns them to the project that owns the monitor; logs and messages leave them out.
 */
export const monitorSecrets = {
  http: ['url', 'headers.*', 'body'],
  dns: [],
  tcp: [],
  ping: [],
  heartbeat: [],
} as const satisfies Record<MonitorType, readonly string[]>;

/** Headers whose values are never credentials. */
const plainHeaders = new Set(
  `accept accept-charset accept-encoding accept-language cache-control connection content-encoding content-language
   content-type date dnt expect from host if-match if-modified-since if-none-match origin pragma range referer te
   upgrade-insecure-requests user-agent via`.split(/\s+/),
);

/** Whether the value of a request header may be shown: all but those of well-known names may be credentials. */
export const isPlainHeader = (name: string): boolean => plainHeaders.has(name.toLowerCase());

/** A monitor's fields with their defaults filled in, by type. */
export type MonitorFields<T extends MonitorType = MonitorType> = z.output<(typeof monitorInputs)[T]>;

/** A merge patch of a map. It sets entries one by one; null removes an entry; null for the map removes all entries. */
const entries = <K extends z.ZodString, V extends z.ZodString>(names: K, values: V) =>
  z.record(names, values.nullable()).nullable().optional();

/** Any fields of the monitor's type. The server checks them against the type of the stored monitor. */
export const monitorPatch = patchOf(
  z.strictObject({
    ...pingFields,
    ...tcpFields,
    ...dnsFields,
    ...httpFields,
    ...heartbeatFields,
    type: z.enum(monitorTypes).describe('The type cannot be changed; only its current value is accepted.'),
  }),
)
  .extend({
    labels: entries(line(63), labels.valueType).describe('Labels to set; null removes one.'),
    headers: entries(requestHeaders.keyType, requestHeaders.valueType).describe(
      'Request headers to set; null removes one.',
    ),
  })
  .meta({
    id: 'MonitorPatch',
    description: 'A JSON merge patch (RFC 7396): absent fields stay unchanged, null restores the default.',
  });
