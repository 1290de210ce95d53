import {
  defaultDomainExpiryThreshold,
  monitorType,
  type NormalMonitor,
  replaceAddressSecrets,
  replaceLogin,
  secretMask,
} from '@uptime/sdk/contract';

/** Whether an edit changed the target, and not only other fields, such as the interval or the name. */
export function changesTarget(before: NormalMonitor, after: NormalMonitor): boolean {
  const pick = (fields: NormalMonitor) => {
    const { target } = monitorType(fields.type);
    // Fields are compared by name, because fields from the store and fields from a body may differ in order.
    const about = Object.entries(fields).filter(([field]) => target[field]);
    return JSON.stringify(about.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  return pick(before) !== pick(after);
}

/** Returns how long a heartbeat may be silent, in milliseconds; null for a type with checks. */
export const allowedSilenceOf = (fields: NormalMonitor): number | null =>
  monitorType(fields.type).silenceMs?.(fields) ?? null;

/** Returns the address of a monitor as messages show it, without credentials; empty for a type without a target. */
export const shownAddress = (fields: NormalMonitor): string =>
  withoutCredentials(monitorType(fields.type).address(fields));

/**
 * Returns an address without user name and password. Other secrets in the address, such as tokens in its query, are
 * masked.
 */
export function withoutCredentials(address: string): string {
  return replaceAddressSecrets(replaceLogin(address, ''), () => secretMask);
}

/**
 * Returns when a monitor's domain expires, in epoch milliseconds. This is the date in the monitor's fields, or
 * otherwise the date from the registry. Null if both are unknown.
 */
export const domainExpiry = (
  fields: NormalMonitor,
  registration: { expires_at: number | null } | undefined,
): number | null => {
  const entered = monitorType(fields.type).domain?.expiresOn(fields) ?? null;
  return entered === null ? (registration?.expires_at ?? null) : Date.parse(entered);
};

/** An alert opens this many days before the monitor's domain expires. */
export const domainThresholdDays = (fields: NormalMonitor): number =>
  monitorType(fields.type).domain?.thresholdDays(fields) ?? defaultDomainExpiryThreshold;

/** An alert opens this many days before the monitor's certificate expires. Null for a type without certificates. */
export const certificateThresholdDays = (fields: NormalMonitor): number | null =>
  monitorType(fields.type).certificate?.thresholdDays(fields) ?? null;

/** Whether the monitor's target must have a certificate. */
export const expectsCertificate = (fields: NormalMonitor): boolean =>
  monitorType(fields.type).certificate?.isExpected(fields) ?? false;

/** Returns the host whose domain the monitor watches; null for a type without a target. */
export const hostOf = (fields: NormalMonitor): string | null => monitorType(fields.type).host(fields);
