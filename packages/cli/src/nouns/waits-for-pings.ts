import type { Monitor } from '@uptime/sdk';
import { passiveTypes } from '../flags/fields/monitors.ts';

/**
 * Whether a monitor waits for pings. Use this instead of the contract's `isPassive` where the start of the program must
 * be fast, because `isPassive` loads the whole contract.
 */
export const waitsForPings = (monitor: Monitor): monitor is Extract<Monitor, { type: (typeof passiveTypes)[number] }> =>
  passiveTypes.some((type) => type === monitor.type);
