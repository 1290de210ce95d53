import type { MonitorInput, MonitorPatch, MonitorType } from '@uptime/sdk';
import { monitorFaults, monitorInputs, monitorPatch, validate, validateMonitor } from '@uptime/sdk/contract';
import { refuseFaults } from './refuse-faults.ts';

/** The fields as what creates a monitor. Throws a CliError that lists every fault, for a command of this name. */
export function asInput(fields: Record<string, unknown>, command = 'monitors create'): MonitorInput {
  const checked = validateMonitor(fields);
  if (!checked.ok) {
    // Without a type the contract can say no more; the name is missing from every one.
    const nameless = fields['type'] === undefined && fields['name'] === undefined;
    const faults = [...checked.faults, ...(nameless ? [{ path: 'name', message: 'is required' }] : [])];
    refuseFaults(
      faults.map(({ path, message }) => ({
        path,
        message: (path.split('.')[0] ?? '') in fields ? message : requiredThat(message),
      })),
      command,
      fields['type'],
    );
  }
  // Just proved: the fields are those of a monitor.
  return fields as unknown as MonitorInput;
}

/** The fields as a patch to a monitor of a type. Throws a CliError that lists every fault. */
export function asPatch(patch: Record<string, unknown>, type: MonitorType): MonitorPatch {
  const checked = validate(monitorPatch, patch);
  const foreign = Object.keys(patch).filter((field) => !(field in monitorInputs[type].shape));
  const faults = [
    ...(checked.ok ? monitorFaults(checked.value as Parameters<typeof monitorFaults>[0]) : checked.faults),
    ...foreign.map((path) => ({ path, message: 'unknown field' })),
  ];
  if (faults.length > 0) refuseFaults(faults, 'monitors update', type);
  return patch;
}

/** What is said of a field that is not given. */
const requiredThat = (message: string): string => (message === 'is required' ? message : `is required, and ${message}`);
