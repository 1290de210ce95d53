import type { NormalMonitor } from '@uptime/sdk/contract';
import type { MonitorRow } from '../store/tables.ts';

/** The columns that hold a monitor's fields, apart from its state. */
export type FieldColumns = Pick<MonitorRow, 'type' | 'key' | 'name' | 'config'>;

/** Sealed texts by the name of the field whose secret they hold. */
export type SealedFields = Record<string, string>;

/** A `config` contains this text only if it has sealed texts, because JSON escapes the quotation marks in a value. */
export const sealedMark = '"sealed":{';

/** Returns a monitor's fields without secrets and, if it has secrets, their sealed form. */
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
 * A monitor's fields without secrets: an address has no credentials, headers have no values. Only the vault opens
 * secrets (stored-monitors/monitor-vault).
 */
export const storedFields = (row: FieldColumns): NormalMonitor => readStored(row).fields;

/** Key and name become columns. The other given fields become `config`, beside the sealed texts. */
export function fieldColumns(fields: NormalMonitor, sealed: SealedFields = {}): FieldColumns {
  const { key, name, ...config } = fields;
  const stored = Object.keys(sealed).length === 0 ? config : { ...config, sealed };
  return { type: fields.type, key, name, config: JSON.stringify(stored) };
}
