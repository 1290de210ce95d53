import {
  defaultDomainExpiryThreshold,
  monitorType,
  type NormalMonitor,
  replaceAddressSecrets,
  secretMask,
} from '@uptime/sdk/contract';

/** Whether an edit changed the target, and not only the interval or the name. */
export function changesTarget(before: NormalMonitor, after: NormalMonitor): boolean {
  const pick = (fields: NormalMonitor) => {
    const { target } = monitorType(fields.type);
    // Fields are compared by name, because fields from the store and fields from a body may differ in order.
    const about = Object.entries(fields).filter(([field]) => target[field]);
    return JSON.stringify(about.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  return pick(before) !== pick(after);
}

/** How long a heartbeat may be silent, in milliseconds; null for types that are checked. */
export const allowedSilenceOf = (fields: NormalMonitor): number | null =>
  monitorType(fields.type).silenceMs?.(fields) ?? null;

/** A monitor's address as messages show it, without credentials; empty for a type without a target. */
export const shownAddress = (fields: NormalMonitor): string =>
  withoutCredentials(monitorType(fields.type).address(fields));

/** An address without user name and password, and with its other secrets masked, such as tokens in its query. */
export function withoutCredentials(address: string): string {
  return replaceAddressSecrets(withoutLogin(address), () => secretMask);
}

function withoutLogin(address: string): string {
  const url = URL.parse(address);
  if (!url || (url.username === '' && url.password === '')) return address;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * When a monitor's domain expires, in epoch milliseconds: the date that its owner entered, or else the registry's. Null
 * if there is no date.
 */
export const domainExpiry = (
  fields: NormalMonitor,
  registration: { expires_at: number | null } | undefined,
): number | null => {
  const entered = monitorType(fields.type).domain?.expiresOn(fields) ?? null;
  return entered === null ? (registration?.expires_at ?? null) : Date.parse(entered);
};

/** An alert about a monitor's domain fires this many days before the expiry. */
export const domainThresholdDays = (fields: NormalMonitor): number =>
  monitorType(fields.type).domain?.thresholdDays(fields) ?? defaultDomainExpiryThreshold;

/**
 * An alert about a monitor's certificate fires this many days before the expiry; null for a type without certificates.
 */
export const certificateThresholdDays = (fields: NormalMonitor): number | null =>
  monitorType(fields.type).certificate?.thresholdDays(fields) ?? null;

/** Whether the target must have a certificate. */
export const expectsCertificate = (fields: NormalMonitor): boolean =>
  monitorType(fields.type).certificate?.isExpected(fields) ?? false;

/** The host whose domain is watched; null for a type without a target. */
export const hostOf = (fields: NormalMonitor): string | null => monitorType(fields.type).host(fields);
