import {
  faultAt,
  monitorFaults,
  monitorInputs,
  monitorMaps,
  monitorPatch,
  type MonitorType,
  monitorTypes,
  ownFields,
  untypedMonitorInput,
  validate,
  validateMonitor,
} from '@uptime/sdk/contract';
import { flagFor } from '../flags/field-flags.ts';
import { monitorFlags } from '../flags/fields/monitors.ts';
import { isAddressOfMonitor, isSecretOfMonitor } from '../secrets.ts';
import { besidesDefaults } from './besides-defaults.ts';
import { asSet, byEntry } from './compare.ts';
import type { FieldRules } from './field-rules.ts';
import { collectionOf, fieldsOf, type Kind } from './kind.ts';

export const monitor: Kind = {
  name: 'monitor',
  list: 'monitors',
  one: 'monitor',
  many: 'monitors',
  collection: ({ monitors }) => collectionOf(monitors),
  knowsType: ({ type }) => Object.hasOwn(monitorInputs, String(type)),
  validate: validateMonitor,
  references: {},
  compare: { ...Object.fromEntries(monitorMaps.map((field) => [field, byEntry])), regions: asSet },
  fixed: 'type',
  isSecret: isSecretOfMonitor,
  isAddress: isAddressOfMonitor,
  write(remote) {
    const { key, name, type } = remote;
    const shape = shapeOf(type);
    const head = key == null ? { name, type } : { key, name, type };
    return { ...head, ...besidesDefaults(shape, { ...fieldsOf(remote), key: undefined }) };
  },
};

/**
 * Returns the fields of a monitor type. For an unknown type of a newer server, returns the fields of all known types.
 */
const shapeOf = (type: unknown) =>
  (typeof type === 'string' && Object.hasOwn(monitorInputs, type)
    ? monitorInputs[type as MonitorType]
    : untypedMonitorInput
  ).shape;

/** The rules for the fields of a monitor, and their flags. */
export const monitorRules: FieldRules = {
  flags: monitorFlags,
  typed: true,
  foreign(type) {
    const known = monitorTypes.find((one) => one === type);
    const flags = (known ? ownFields(known) : []).map((field) => flagFor(field, monitorFlags)).join(', ');
    return `is not a field of type ${String(type)}${flags ? `, which has ${flags}` : ''}`;
  },
  create({ fields }) {
    const checked = validateMonitor(fields);
    return checked.ok ? { ok: true, value: fields } : checked;
  },
  update(patch, type) {
    const checked = validate(monitorPatch, patch);
    const foreign = Object.keys(patch).filter((field) => !(field in shapeOf(type)));
    const known = monitorTypes.find((one) => one === type);
    const found = () =>
      known && checked.ok ? monitorFaults(known, checked.value as Parameters<typeof monitorFaults>[1]) : [];
    const faults = [
      ...(checked.ok ? found() : checked.faults),
      ...foreign.map((path) => faultAt(path, 'unknown_field', { meant: null })),
    ];
    return faults.length > 0 ? { ok: false, faults } : { ok: true, value: patch };
  },
};
