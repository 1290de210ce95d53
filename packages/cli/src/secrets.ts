import type { Monitor } from '@uptime/sdk';
import { isPlainHeader, monitorSecrets, replaceAddressSecrets, secretMask } from '@uptime/sdk/contract';

/** Whether the name of a header or label usually means that its value is a credential. */
export const isSensitive = (path: string): boolean =>
  /^(?:headers|labels)\..*(?:auth(?!ors?\b)|cookie|token|key|secret|passw|signature|credential)/i.test(path);

/**
 * The fields that may hold a secret, each with the part that is secret. Monitors of all types share this list, because
 * a newer server may send a monitor of an unknown type.
 */
const secretParts = new Map(Object.values(monitorSecrets).flatMap((parts) => Object.entries(parts)));

/**
 * Whether the value at a path of a monitor must never be shown. The contract lists such fields. Headers that are known
 * to hold no credential are exceptions. An address is shown without its secrets.
 */
export function isSecretOfMonitor(path: string): boolean {
  const [, field = '', entry] = /^([^.]*)(?:\.(.*))?$/s.exec(path) ?? [];
  const part = secretParts.get(field);
  if (part === 'values') return entry !== undefined && !isPlainHeader(entry);
  return part === 'whole' || isSensitive(path);
}

/** Whether the value at a path of a monitor is an address that may contain credentials. */
export const isAddressOfMonitor = (path: string): boolean => secretParts.get(path) === 'credentials';

/** Returns an address for display, without its secrets: the password, and tokens in the query. */
export const withoutAddressSecrets = (text: string): string => replaceAddressSecrets(text, () => '…');

/** Returns a monitor with its secrets masked, for the output to people and to programs. */
export function withoutSecrets<M extends Monitor>(monitor: M): M {
  const masked = (path: string, value: unknown): unknown => {
    if (isAddressOfMonitor(path) && typeof value === 'string') return withoutAddressSecrets(value);
    if (typeof value === 'string') return value !== '' && isSecretOfMonitor(path) ? secretMask : value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(`${path}.${name}`, inner)]));
  };
  const fields = Object.entries(monitor).map(([field, value]) => [field, masked(field, value)] as const);
  return { ...monitor, ...Object.fromEntries(fields) };
}
