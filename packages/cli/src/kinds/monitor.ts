import { monitorInputs, type MonitorType, validateMonitor } from '@uptime/sdk/contract';
import { isSensitive } from '../plan/secrets.ts';
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
  compare: { headers: byEntry, labels: byEntry, regions: asSet },
  fixed: 'type',
  isSecret: isSensitive,
  write(remote) {
    const { key, name, type } = remote;
    const { shape } = monitorInputs[type as MonitorType];
    const head = key == null ? { name, type } : { key, name, type };
    return { ...head, ...besidesDefaults(shape, { ...fieldsOf(remote), key: undefined }) };
  },
};
