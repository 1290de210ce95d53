import type { Monitor } from '@uptime/sdk';
import { isPassive, secretMask } from '@uptime/sdk/contract';
import { withoutSecrets } from '../secrets.ts';

/**
 * Returns a row without the secrets of a monitor. Its ping address is such a secret too. Other rows about a monitor, such
 * as a check's result, have no fields with these names, so they stay unchanged. The server itself masks the secrets of
 * channels.
 */
export function hideSecrets(resource: string, row: unknown): unknown {
  if (resource !== 'monitors') return row;
  const monitor = withoutSecrets(row as Monitor);
  return isPassive(monitor) ? { ...monitor, pingUrl: secretMask } : monitor;
}
