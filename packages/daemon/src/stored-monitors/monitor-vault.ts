import type { NormalMonitor } from '@uptime/sdk/contract';
import type { Seal } from '../store/seal.ts';
import type { MonitorRow } from '../store/tables.ts';
import { holdsSecret, secretFields, withoutSecret } from './monitor-secrets.ts';
import { type FieldColumns, fieldColumns, readStored, type SealedFields, sealedMark } from './stored-monitor.ts';

/** A monitor with its secrets, as far as they can be read. */
export interface OpenedMonitor {
  fields: NormalMonitor;
  /** The stored form of fields that were sealed with another secret key. Empty when all can be read. */
  unreadable: SealedFields;
}

/** Keeps the secret fields of monitors sealed in the store. Only checks and reads with the project's key open them. */
export interface MonitorVault {
  /** The columns to store. `unread` are sealed fields that could not be opened; they are stored unchanged. */
  seal(id: string, fields: NormalMonitor, unread?: SealedFields): FieldColumns;
  /**
   * For a monitor that has secrets in the clear: its columns, with these secrets sealed. Null for any other monitor.
   */
  reseal(row: FieldColumns & Pick<MonitorRow, 'id'>): FieldColumns | null;
  /** Leaves unreadable secrets out of the fields: headers keep their names and have no values. */
  open(row: FieldColumns & Pick<MonitorRow, 'id'>): OpenedMonitor;
}

/**
 * Decrypted monitors are kept in memory, because every check needs them. This is the limit for their configs together,
 * in characters.
 */
const keptCharacters = 8_000_000;

/**
 * Creates a vault with the daemon's seal. Callers must not change the fields that `open` returns, because later callers
 * get the same objects.
 */
export function createMonitorVault(seal: Seal): MonitorVault {
  /**
   * A cache by config, only for monitors with secrets. Decrypting a monitor takes about 5 µs. Finding it here takes
   * less than 1 µs.
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
    for (const field of secretFields(fields.type)) {
      const value = shown[field];
      if (!holdsSecret(field, value)) continue;
      if (!(field in unread)) sealed[field] = seal.close(JSON.stringify(value), contextOf(id, field));
      shown[field] = withoutSecret(field, value);
    }
    return fieldColumns(shown as NormalMonitor, sealed);
  };

  return {
    seal: close,
    reseal(row) {
      const { fields } = readStored(row);
      if (secretFields(fields.type).every((field) => isWithoutSecret(field, fieldsByName(fields)[field]))) return null;
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
      if (size > keptCharacters) {
        kept.clear();
        size = config.length;
      }
      kept.set(config, { id, key, name, opened });
      return opened;
    },
  };
}

const fieldsByName = (fields: NormalMonitor): Record<string, unknown> => ({ ...fields });

const isWithoutSecret = (field: string, value: unknown): boolean =>
  JSON.stringify(withoutSecret(field, value)) === JSON.stringify(value);

/** A secret that is sealed for one field of one monitor cannot be opened for another. */
const contextOf = (id: string, field: string) => `${id} ${field}`;
