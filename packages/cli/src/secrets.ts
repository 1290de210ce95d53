import type { Monitor } from '@uptime/sdk';
import { isPlainHeader, monitorSecrets, replaceAddressSecrets, secretMask } from '@uptime/sdk/contract';

/** Whether the name of a header or label usually means that its value is a credential. */
export const isSensitive = (path: string): boolean =>
  /^(?:headers|labels)\..*(?:auth(?!ors?\b)|cookie|token|key|secret|passw|signature|credential)/i.test(path);

const listed: ReadonlySet<string> = new Set(Object.values(monitorSecrets).flat());

/**
 * Whether the value at a path of a monitor must never be shown. The contract lists such fields. Headers that are known
 * to hold no credential are exceptions. An address is shown without its secrets.
 */
export function isSecretOfMonitor(path: string): boolean {
  const [, field = '', entry] = /^([^.]*)(?:\.(.*))?$/s.exec(path) ?? [];
  if (listed.has(`${field}.*`)) return entry !== undefined && !isPlainHeader(entry);
  return (field !== 'url' && listed.has(field)) || isSensitive(path);
}

/** Returns an address for display, without its secrets: the password, and tokens in the query. */
export const withoutAddressSecrets = (text: string): string => replaceAddressSecrets(text, () => '…');

/** Returns a monitor with its secrets masked, for the output to people and to programs. */
export function withoutSecrets<M extends Monitor>(monitor: M): M {
  const masked = (path: string, value: unknown): unknown => {
    if (path === 'url' && typeof value === 'string') return withoutAddressSecrets(value);
    if (typeof value === 'string') return value !== '' && isSecretOfMonitor(path) ? secretMask : value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(`${path}.${name}`, inner)]));
  };
  const fields = Object.entries(monitor).map(([field, value]) => [field, masked(field, value)] as const);
  return { ...monitor, ...Object.fromEntries(fields) };
}
