import { monitorSecrets, type MonitorType, type SecretPart } from '@uptime/sdk/contract';
import { withoutCredentials } from './monitor-fields.ts';

/** Returns the fields of a monitor type that may contain a secret, each with the part that is secret. */
export const secretFields = (type: MonitorType): [field: string, part: SecretPart][] =>
  Object.entries(monitorSecrets[type]);

/**
 * Returns the value of a field without its secret: an address without credentials, headers without values, and null in
 * place of a value that is secret as a whole.
 */
export function withoutSecret(part: SecretPart, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (part === 'credentials') return typeof value === 'string' ? withoutCredentials(value) : value;
  return part === 'values' ? Object.fromEntries(Object.keys(value).map((name) => [name, ''])) : null;
}

/** Whether a field's value contains something that must not be stored or shown unencrypted. */
export function holdsSecret(part: SecretPart, value: unknown): boolean {
  if (part !== 'values') return withoutSecret(part, value) !== value;
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Returns the message about secrets of a monitor that were encrypted with another secret key. */
export function unreadableText(type: MonitorType, fields: readonly string[]): string {
  const named = fields.map((field) => nameOf(field, monitorSecrets[type][field])).join(' and ');
  return `The monitor's ${named} cannot be read, because they were stored under another secret key. Send them again, or start the daemon with its former key.`;
}

/** Returns the name of a secret in a sentence: `URL credentials` for the field `url`, otherwise the field's own name. */
const nameOf = (field: string, part: SecretPart | undefined): string =>
  part === 'credentials' ? `${field.replace(/url$/i, ' URL').trim()} credentials` : field;
