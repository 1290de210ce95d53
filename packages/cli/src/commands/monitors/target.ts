import type { Monitor } from '@uptime/sdk';
import { monitorType } from '@uptime/sdk/contract';
import { withoutPassword } from '../../secrets.ts';

/** The target of a monitor in short, without its password; empty for a type without a target. */
export function target(monitor: Monitor): string {
  const definition = monitorType(monitor.type);
  return withoutPassword(definition.addressInLists?.(monitor) ?? definition.address(monitor));
}
