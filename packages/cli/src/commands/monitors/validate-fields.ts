import type { MonitorInput, MonitorPatch, MonitorType } from '@uptime/sdk';
import {
  type Fault,
  faultAt,
  monitorFaults,
  monitorInputs,
  monitorPatch,
  monitorTypes,
  ownFields,
  validate,
  validateMonitor,
} from '@uptime/sdk/contract';
import { flagFor } from '../../flags/field-flags.ts';
import { refuseFaults } from '../../flags/refuse-faults.ts';
import { monitorFlags } from '../../nouns/flags/monitors.ts';

/** Validates fields as input that creates a monitor. Throws a CliError that lists every fault and names the command. */
export function asInput(fields: Record<string, unknown>, command = 'monitors create'): MonitorInput {
  const checked = validateMonitor(fields);
  if (!checked.ok) refuse(checked.faults, command, fields, fields['type']);
  // Validated above.
  return fields as unknown as MonitorInput;
}

/** Validates fields as a patch of a monitor of the given type. Throws a CliError that lists every fault. */
export function asPatch(patch: Record<string, unknown>, type: MonitorType): MonitorPatch {
  const checked = validate(monitorPatch, patch);
  const foreign = Object.keys(patch).filter((field) => !(field in monitorInputs[type].shape));
  const faults = [
    ...(checked.ok ? monitorFaults(type, checked.value as Parameters<typeof monitorFaults>[1]) : checked.faults),
    ...foreign.map((path) => faultAt(path, 'unknown_field', { meant: null })),
  ];
  if (faults.length > 0) refuse(faults, 'monitors update', patch, type);
  return patch;
}

function refuse(faults: readonly Fault[], command: string, given: object, type: unknown): never {
  const known = monitorTypes.find((one) => one === type);
  const flags = (known ? ownFields(known) : []).map((field) => flagFor(field, monitorFlags)).join(', ');
  const foreign = `is not a field of type ${String(type)}${flags ? `, which has ${flags}` : ''}`;
  refuseFaults(faults, { command, flags: monitorFlags, given, foreign });
}
