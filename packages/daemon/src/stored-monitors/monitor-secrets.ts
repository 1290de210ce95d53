import { monitorSecrets, type MonitorType } from '@uptime/sdk/contract';
import { withoutCredentials } from './monitor-fields.ts';

/** Returns the fields of a monitor type that may contain a secret. */
export const secretFields = (type: MonitorType): string[] =>
  monitorSecrets[type].map((field) => field.replace('.*', ''));

/**
 * Returns the value of a field without its secret: an address without credentials, headers without values, and null for
 * any other text.
 */
export function withoutSecret(field: string, value: unknown): unknown {
  if (typeof value === 'string') return field === 'url' ? withoutCredentials(value) : null;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.keys(value).map((name) => [name, '']));
}

/** Whether a field's value contains something that must not be stored or shown unencrypted. */
export function holdsSecret(field: string, value: unknown): boolean {
  if (typeof value === 'string') return withoutSecret(field, value) !== value;
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

const words: Record<string, string> = { url: 'URL credentials' };

/** Returns the message about secrets that were encrypted with another secret key. */
export function unreadableText(fields: readonly string[]): string {
  const named = fields.map((field) => words[field] ?? field).join(' and ');
  return `The monitor's ${named} cannot be read, because they were stored under another secret key. Send them again, or start the daemon with its former key.`;
}
