import { createSecureContext } from 'node:tls';
import { type MonitorFields, type MonitorType, validateMonitor } from '@uptime/sdk/contract';
import type { CheckContext } from '../../checks/check.ts';
import { createCheckContext, type TargetPolicy } from '../../checks/index.ts';
import { systemClock } from '../../deps.ts';

/**
 * Returns a check context on the real clock. `ca` is a root certificate to trust in place of the roots of the system.
 */
export function testContext(
  options: { dnsServers?: string[]; targets?: TargetPolicy; ca?: string } = {},
): CheckContext {
  const { dnsServers = [], targets = 'all', ca } = options;
  const context = createCheckContext({ clock: systemClock, dnsServers, targets });
  if (ca === undefined) return context;
  const secureContext = createSecureContext({ ca });
  return { ...context, secureContext: () => secureContext };
}

/** Returns a monitor as the daemon would store it. Throws if the input is invalid. */
export function monitorOf<T extends MonitorType>(input: { type: T; [field: string]: unknown }): MonitorFields<T> {
  const parsed = validateMonitor({ name: 'a monitor', ...input });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value as MonitorFields<T>;
}
