import type { Monitor } from '@uptime/sdk';
import { withoutPassword } from '../../secrets.ts';

/** The target of a monitor in short; empty for a heartbeat, which has none. */
export function target(monitor: Monitor): string {
  if (monitor.type === 'http') return withoutPassword(monitor.url);
  if (monitor.type === 'dns') return `${monitor.hostname} ${monitor.recordType}`;
  if (monitor.type === 'ping') return monitor.host;
  if (monitor.type === 'heartbeat') return '';
  return monitor.host.includes(':') ? `[${monitor.host}]:${monitor.port}` : `${monitor.host}:${monitor.port}`;
}
