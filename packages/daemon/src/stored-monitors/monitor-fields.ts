import {
  defaultDomainExpiryThreshold,
  type MonitorFields,
  type MonitorType,
  type NormalMonitor,
} from '@uptime/sdk/contract';

/** Fields of a type that not all types have. */
type OwnField<T extends MonitorType> = Exclude<keyof MonitorFields<T>, keyof NormalMonitor>;

/** Which of a type's own fields decide what its check looks at. An edit of these restarts its run of failures. */
const aboutTheTarget: { [T in MonitorType]: Record<OwnField<T>, boolean> } = {
  http: {
    url: true,
    method: true,
    expectedStatus: true,
    bodyContains: true,
    headers: true,
    body: true,
    verifyTls: true,
    sslExpiryThreshold: false,
    domainExpiryThreshold: false,
    domainExpiresOn: false,
  },
  dns: { hostname: true, recordType: true, expectedValue: true, nameserver: true },
  tcp: { host: true, port: true },
  ping: { host: true },
  heartbeat: { gracePeriod: false },
};

/** Whether an edit changed the target, and not only the interval or the name. */
export function changesTarget(before: NormalMonitor, after: NormalMonitor): boolean {
  const pick = (fields: NormalMonitor) => {
    const decides: Partial<Record<string, boolean>> = aboutTheTarget[fields.type];
    // By name, because a read of the store may have another order than a body.
    const about = Object.entries(fields).filter(([field]) => decides[field]);
    return JSON.stringify(about.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  return pick(before) !== pick(after);
}

/** How long a heartbeat may be silent, in milliseconds; null for types that are checked. */
export const allowedSilenceOf = (fields: NormalMonitor): number | null =>
  fields.type === 'heartbeat' ? (fields.interval + fields.gracePeriod) * 1000 : null;

/**
 * A monitor's address as messages show it, without credentials. Host and port if there is no URL; empty for a
 * heartbeat.
 */
export function shownAddress(fields: NormalMonitor): string {
  if (fields.type === 'http') return withoutCredentials(fields.url);
  if (fields.type === 'dns') return fields.hostname;
  if (fields.type === 'tcp') return `${fields.host.includes(':') ? `[${fields.host}]` : fields.host}:${fields.port}`;
  return fields.type === 'ping' ? fields.host : '';
}

/** An address without user name and password. */
export function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  if (!url || (url.username === '' && url.password === '')) return address;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * When a monitor's domain expires, in epoch milliseconds, by its owner's setting or else by the registry; null if
 * neither has a date.
 */
export const domainExpiry = (
  fields: NormalMonitor,
  registration: { expires_at: number | null } | undefined,
): number | null => {
  const said = fields.type === 'http' ? (fields.domainExpiresOn ?? null) : null;
  return said === null ? (registration?.expires_at ?? null) : Date.parse(said);
};

/** How many days before its domain expires a monitor's alert fires. */
export const domainThresholdDays = (fields: NormalMonitor): number =>
  fields.type === 'http' ? fields.domainExpiryThreshold : defaultDomainExpiryThreshold;

/** The host that is checked; null for a heartbeat. */
export function hostOf(fields: NormalMonitor): string | null {
  if (fields.type === 'http') return URL.parse(fields.url)?.hostname ?? null;
  if (fields.type === 'dns') return fields.hostname;
  return fields.type === 'heartbeat' ? null : fields.host;
}
