import type { NormalMonitor } from '@uptime/sdk/contract';
import type { MonitorRow } from '../store/tables.ts';

/** The columns of `monitor` that contain a monitor's fields. */
export type FieldColumns = Pick<MonitorRow, 'type' | 'key' | 'name' | 'config'>;

/** For each field with a secret, its encrypted text. */
export type SealedFields = Record<string, string>;

/**
 * A `config` contains this text only if it contains encrypted secrets, because JSON escapes the quotation marks in a
 * value.
 */
export const sealedMark = '"sealed":{';

/** Returns a monitor's fields without secrets. If the monitor has secrets, also returns their encrypted texts. */
export function readStored(row: FieldColumns): { fields: NormalMonitor; sealed?: SealedFields } {
  const config = JSON.parse(row.config) as NormalMonitor & { sealed?: SealedFields };
  config.key = row.key;
  config.name = row.name;
  config.type = row.type;
  // Earlier versions did not have this field.
  config.managedBy ??= null;
  if (config.sealed === undefined) return { fields: config };
  const { sealed, ...fields } = config;
  return { fields, sealed };
}

/**
 * Returns a monitor's fields without secrets: an address has no credentials, and headers have no values. Only the vault
 * can decrypt secrets (monitor-vault.ts).
 */
export const storedFields = (row: FieldColumns): NormalMonitor => readStored(row).fields;

/**
 * Returns the columns to store for these fields. Key and name have columns of their own. The other fields and the
 * encrypted texts go into `config`.
 */
export function fieldColumns(fields: NormalMonitor, sealed: SealedFields = {}): FieldColumns {
  const { key, name, ...config } = fields;
  const stored = Object.keys(sealed).length === 0 ? config : { ...config, sealed };
  return { type: fields.type, key, name, config: JSON.stringify(stored) };
}
