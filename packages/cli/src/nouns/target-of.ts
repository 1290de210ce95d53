import type { Monitor } from '@uptime/sdk';
import { monitorType } from '@uptime/sdk/contract';
import { withoutAddressSecrets } from '../secrets.ts';

/** The target of a monitor in short, without its password; empty for a type without a target. */
export function targetOf(monitor: Monitor): string {
  const definition = monitorType(monitor.type);
  return withoutAddressSecrets(definition.addressInLists?.(monitor) ?? definition.address(monitor));
}
