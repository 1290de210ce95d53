import type { Monitor } from '@uptime/sdk';
import { passiveTypes } from '../flags/fields/monitors.ts';

/**
 * Whether a monitor waits for pings. Use it where a job or a person waits for the start of the program: the contract's
 * `isPassive` loads the contract.
 */
export const waitsForPings = (monitor: Monitor): monitor is Extract<Monitor, { type: (typeof passiveTypes)[number] }> =>
  passiveTypes.some((type) => type === monitor.type);
