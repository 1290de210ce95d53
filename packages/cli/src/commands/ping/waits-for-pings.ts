import type { Monitor } from '@uptime/sdk';
import { passiveTypes } from '../../flags/fields/monitors.ts';

/**
 * Whether a monitor waits for pings. The contract's `isPassive` returns the same, but loads the whole contract. So use
 * this function where the program must start fast.
 */
export const waitsForPings = (monitor: Monitor): monitor is Extract<Monitor, { type: (typeof passiveTypes)[number] }> =>
  passiveTypes.some((type) => type === monitor.type);
