import type { Monitor } from '@uptime/sdk';
import { withoutPassword } from '../../plan/secrets.ts';

/** What a monitor watches, in a word; empty for a heartbeat, which watches nothing. */
export function target(monitor: Monitor): string {
  switch (monitor.type) {
    case 'http':
      return withoutPassword(monitor.url);
    case 'dns':
      return `${monitor.hostname} ${monitor.recordType}`;
    case 'tcp':
      return monitor.host.includes(':') ? `[${monitor.host}]:${monitor.port}` : `${monitor.host}:${monitor.port}`;
    case 'ping':
      return monitor.host;
    case 'heartbeat':
      return '';
  }
}
