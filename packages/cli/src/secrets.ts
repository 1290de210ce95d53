import type { Monitor } from '@uptime/sdk';
import { replaceAddressSecrets } from '@uptime/sdk/contract';
import { mask } from './mask.ts';

/** Whether a header or label has a name that usually means a credential. */
export const isSensitive = (path: string): boolean =>
  /^(?:headers|labels)\..*(?:auth(?!ors?\b)|cookie|token|key|secret|passw|signature|credential)/i.test(path);

/** Leaves the secrets out of an address, for display: its password, and tokens in its query. */
export const withoutAddressSecrets = (text: string): string => replaceAddressSecrets(text, () => '…');

/** Masks headers and labels of a monitor that usually hold a credential, for display. */
export function withoutSecrets<M extends Monitor>(monitor: M): M {
  const shown: Record<string, unknown> = { ...monitor };
  for (const field of ['headers', 'labels']) {
    const entries = Object.entries((shown[field] as Record<string, string> | undefined) ?? {});
    if (entries.length === 0) continue;
    shown[field] = Object.fromEntries(
      entries.map(([name, value]) => [name, isSensitive(`${field}.${name}`) ? mask : value]),
    );
  }
  if (typeof shown['url'] === 'string') shown['url'] = withoutAddressSecrets(shown['url']);
  // The fields keep their types.
  return shown as unknown as M;
}
