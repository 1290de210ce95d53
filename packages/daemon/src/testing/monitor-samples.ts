import { monitorType, type MonitorType, monitorTypes } from '@uptime/sdk/contract';

/** Returns a valid monitor of a type, as a request contains it. Its target is this machine. */
export const monitorSample = (type: MonitorType, name = 'x'): { type: MonitorType; name: string } => ({
  type,
  name,
  ...monitorType(type).sample,
});

/** A valid monitor of each type. */
export const monitorSamples = monitorTypes.map((type) => monitorSample(type));
