import type { MonitorFields, NormalMonitor } from '@uptime/sdk/contract';

/** The parts of a monitor's fields that decide what a check looks at: an edit of these starts its evidence anew. */
const aboutTheTarget = {
  http: ['url', 'method', 'expectedStatus', 'bodyContains', 'headers', 'body', 'verifyTls'],
  dns: ['hostname', 'recordType', 'expectedValue', 'nameserver'],
  tcp: ['host', 'port'],
  ping: ['host'],
  heartbeat: [],
} as const;

/** Whether an edit changed what is checked, rather than how often or under which name. */
export function changesTarget(before: NormalMonitor, after: NormalMonitor): boolean {
  const pick = (fields: NormalMonitor) => {
    const all = fields as unknown as Record<string, unknown>;
    return JSON.stringify(aboutTheTarget[fields.type].map((field) => all[field]));
  };
  return pick(before) !== pick(after);
}

/** How long a heartbeat may be silent, in milliseconds; null for the types that are checked. */
export const patienceOf = (fields: NormalMonitor): number | null =>
  fields.type === 'heartbeat' ? (fields.interval + fields.gracePeriod) * 1000 : null;

/** A monitor's address as messages show it: host and port where there is no URL; empty for a heartbeat. Credentials are left out. */
export function shownAddress(fields: NormalMonitor): string {
  if (fields.type === 'http') return withoutCredentials(fields.url);
  if (fields.type === 'dns') return fields.hostname;
  if (fields.type === 'tcp') return `${fields.host.includes(':') ? `[${fields.host}]` : fields.host}:${fields.port}`;
  return fields.type === 'ping' ? fields.host : '';
}

function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  if (!url || (url.username === '' && url.password === '')) return address;
  url.username = '';
  url.password = '';
  return url.href;
}

/** When a monitor's domain expires, in epoch milliseconds: as its owner says, or else as the registry does; null where nobody does. */
export const domainExpiry = (
  fields: Pick<MonitorFields<'http'>, 'domainExpiresOn'>,
  registration: { expires_at: number | null } | undefined,
): number | null =>
  fields.domainExpiresOn === null || fields.domainExpiresOn === undefined
    ? (registration?.expires_at ?? null)
    : Date.parse(fields.domainExpiresOn);
