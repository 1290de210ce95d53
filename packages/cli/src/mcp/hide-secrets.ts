import type { Monitor } from '@uptime/sdk';
import { isPassive, secretMask } from '@uptime/sdk/contract';
import { withoutSecrets } from '../secrets.ts';

/**
 * Returns a monitor without its secrets; its ping address is a secret too. Returns all other rows unchanged, because
 * the server itself masks the secrets of channels, and the remaining resources have no secrets.
 */
export function hideSecrets(resource: string, row: unknown): unknown {
  if (resource !== 'monitors') return row;
  const monitor = withoutSecrets(row as Monitor);
  return isPassive(monitor) ? { ...monitor, pingUrl: secretMask } : monitor;
}
