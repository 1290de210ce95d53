import type { Monitor } from '@uptime/sdk';
import { knownMonitorType } from '@uptime/sdk/contract';
import { withoutAddressSecrets } from '../../secrets.ts';

/**
 * Returns the target of a monitor as short text, without a password. Returns an empty text if the type has no target,
 * or is unknown.
 */
export function targetOf(monitor: Monitor): string {
  const definition = knownMonitorType(monitor.type);
  return withoutAddressSecrets(definition?.addressInLists?.(monitor) ?? definition?.address(monitor) ?? '');
}
