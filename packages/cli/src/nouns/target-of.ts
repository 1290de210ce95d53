import type { Monitor } from '@uptime/sdk';
import { knownMonitorType } from '@uptime/sdk/contract';
import { withoutAddressSecrets } from '../secrets.ts';

/** The target of a monitor in short, without its password; empty for a type without a target, or an unknown type. */
export function targetOf(monitor: Monitor): string {
  const definition = knownMonitorType(monitor.type);
  return withoutAddressSecrets(definition?.addressInLists?.(monitor) ?? definition?.address(monitor) ?? '');
}
