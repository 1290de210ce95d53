import { monitorType, type MonitorType, monitorTypes } from '@uptime/sdk/contract';

/** A valid input of a type. Its target is this machine. */
export const monitorSample = (type: MonitorType, name = 'x'): { type: MonitorType; name: string } => ({
  type,
  name,
  ...monitorType(type).sample,
});

/** A valid input of each type. */
export const monitorSamples = monitorTypes.map((type) => monitorSample(type));
