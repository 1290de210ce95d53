import type { Monitor } from '@uptime/sdk';
import { isPassive } from '@uptime/sdk/contract';
import { mask } from '../mask.ts';
import { withoutSecrets } from '../secrets.ts';

/**
 * Returns a row without the secrets of a monitor. Its ping address is such a secret too. The server itself masks the
 * secrets of channels.
 */
export function hideSecrets(resource: string, row: unknown): unknown {
  if (resource !== 'monitors') return row;
  const monitor = withoutSecrets(row as Monitor);
  return isPassive(monitor) ? { ...monitor, pingUrl: mask } : monitor;
}
