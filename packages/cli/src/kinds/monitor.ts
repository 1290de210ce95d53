import {
  isPlainHeader,
  monitorInputs,
  monitorMaps,
  monitorSecrets,
  type MonitorType,
  validateMonitor,
} from '@uptime/sdk/contract';
import { isSensitive } from '../secrets.ts';
import { besidesDefaults } from './besides-defaults.ts';
import { asSet, byEntry } from './compare.ts';
import { collectionOf, fieldsOf, type Kind } from './kind.ts';

export const monitor: Kind = {
  name: 'monitor',
  list: 'monitors',
  one: 'monitor',
  many: 'monitors',
  collection: ({ monitors }) => collectionOf(monitors),
  validate: validateMonitor,
  references: {},
  compare: { ...Object.fromEntries(monitorMaps.map((field) => [field, byEntry])), regions: asSet },
  fixed: 'type',
  isSecret: isSecretOfMonitor,
  isVariable: isSensitive,
  write(remote) {
    const { key, name, type } = remote;
    const { shape } = monitorInputs[type as MonitorType];
    const head = key == null ? { name, type } : { key, name, type };
    return { ...head, ...besidesDefaults(shape, { ...fieldsOf(remote), key: undefined }) };
  },
};

const listed: ReadonlySet<string> = new Set(Object.values(monitorSecrets).flat());

/**
 * Whether the value at a path of a monitor is never shown: the fields that the contract lists, except for headers that hold
 * no credential. An address is shown without its password.
 */
export function isSecretOfMonitor(path: string): boolean {
  const [, field = '', entry] = /^([^.]*)(?:\.(.*))?$/s.exec(path) ?? [];
  if (listed.has(`${field}.*`)) return entry !== undefined && !isPlainHeader(entry);
  return (field !== 'url' && listed.has(field)) || isSensitive(path);
}
