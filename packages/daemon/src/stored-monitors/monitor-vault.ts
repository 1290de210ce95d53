import type { NormalMonitor, SecretPart } from '@uptime/sdk/contract';
import type { Seal } from '../store/seal.ts';
import type { MonitorRow } from '../store/tables.ts';
import { holdsSecret, secretFields, withoutSecret } from './monitor-secrets.ts';
import { type FieldColumns, fieldColumns, readStored, type SealedFields, sealedMark } from './stored-monitor.ts';

/** A monitor with its decrypted secrets. */
export interface OpenedMonitor {
  fields: NormalMonitor;
  /**
   * The encrypted texts of fields that were encrypted with another secret key. Empty if all secrets can be decrypted.
   */
  unreadable: SealedFields;
}

/**
 * Encrypts the secret fields of monitors for the store. Decrypts them for checks and for requests of the project. The
 * starting daemon also decrypts them, to find secrets that were stored under another key.
 */
export interface MonitorVault {
  /**
   * Returns the columns to store. `unread` contains encrypted fields that could not be decrypted. They are stored
   * unchanged.
   */
  seal(id: string, fields: NormalMonitor, unread?: SealedFields): FieldColumns;
  /**
   * If the monitor has secrets that are not encrypted, returns its columns with these secrets encrypted. Otherwise
   * returns null.
   */
  reseal(row: FieldColumns & Pick<MonitorRow, 'id'>): FieldColumns | null;
  /**
   * Returns the monitor with decrypted secrets. A secret that cannot be decrypted is left out: headers then keep their
   * names and have no values.
   */
  open(row: FieldColumns & Pick<MonitorRow, 'id'>): OpenedMonitor;
}

/**
 * Decrypted monitors are kept in memory, because every check needs its monitor. This is the maximum total length of the
 * configs of the kept monitors.
 */
const maxKeptCharacters = 8_000_000;

/**
 * Creates a vault that encrypts with the daemon's seal. Callers must not change the fields that `open` returns, because
 * later callers get the same objects.
 */
export function createMonitorVault(seal: Seal): MonitorVault {
  /**
   * The decrypted monitors, except those without secrets. The keys are the stored configs. Decrypting a monitor takes
   * about 5 µs. Finding it here takes less than 1 µs.
   */
  const kept = new Map<string, Pick<MonitorRow, 'id' | 'key' | 'name'> & { opened: OpenedMonitor }>();
  let size = 0;

  const open = (row: FieldColumns & Pick<MonitorRow, 'id'>): OpenedMonitor => {
    const { fields, sealed } = readStored(row);
    if (sealed === undefined) return { fields, unreadable: {} };
    const unreadable: SealedFields = {};
    const opened: Record<string, unknown> = {};
    for (const [field, text] of Object.entries(sealed)) {
      const value = seal.open(text, contextOf(row.id, field));
      if (value === null) unreadable[field] = text;
      else opened[field] = JSON.parse(value);
    }
    return { fields: { ...fields, ...opened }, unreadable };
  };

  const close: MonitorVault['seal'] = (id, fields, unread = {}) => {
    const shown: Record<string, unknown> = { ...fields };
    const sealed: Record<string, string> = { ...unread };
    for (const [field, part] of secretFields(fields.type)) {
      const value = shown[field];
      if (!holdsSecret(part, value)) continue;
      if (!(field in unread)) sealed[field] = seal.close(JSON.stringify(value), contextOf(id, field));
      shown[field] = withoutSecret(part, value);
    }
    return fieldColumns(shown as NormalMonitor, sealed);
  };

  return {
    seal: close,
    reseal(row) {
      const { fields } = readStored(row);
      const values = fieldsByName(fields);
      if (secretFields(fields.type).every(([field, part]) => isWithoutSecret(part, values[field]))) return null;
      const { fields: whole, unreadable } = open(row);
      return close(row.id, whole, unreadable);
    },
    open(row) {
      const { id, key, name, config } = row;
      const known = kept.get(config);
      if (known && known.id === id && known.key === key && known.name === name) return known.opened;
      const opened = open(row);
      if (!config.includes(sealedMark)) return opened;
      size += config.length;
      if (size > maxKeptCharacters) {
        kept.clear();
        size = config.length;
      }
      kept.set(config, { id, key, name, opened });
      return opened;
    },
  };
}

const fieldsByName = (fields: NormalMonitor): Record<string, unknown> => ({ ...fields });

const isWithoutSecret = (part: SecretPart, value: unknown): boolean =>
  JSON.stringify(withoutSecret(part, value)) === JSON.stringify(value);

/**
 * Returns the context for the seal, so that a secret of one field of one monitor cannot be decrypted for another field
 * or monitor.
 */
const contextOf = (id: string, field: string) => `${id} ${field}`;
