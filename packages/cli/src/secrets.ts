import type { Monitor } from '@uptime/sdk';

/** Whether a header or label has a name that usually means a credential. */
export const isSensitive = (path: string): boolean =>
  /^(?:headers|labels)\..*(?:auth(?!ors?\b)|cookie|token|key|secret|passw|signature|credential)/i.test(path);

/** Splits an address around its password. Returns null for an address without one, and for other text. */
export function passwordIn(text: string): [before: string, password: string, after: string] | null {
  const [, before, password, after] = /^([a-z][a-z0-9+.-]*:\/\/[^\s/?#:@]*:)([^\s/?#@]+)(@.*)$/is.exec(text) ?? [];
  return before && password && after ? [before, password, after] : null;
}

/** Leaves the password out of an address, for display. */
export function withoutPassword(text: string): string {
  const parts = passwordIn(text);
  return parts ? `${parts[0]}…${parts[2]}` : text;
}

/** Stands for a value that is not shown. The server masks all but the end of a secret in the same way. */
export const mask = '••••';

/** Whether a value, or the password in it, is masked. */
export const isMasked = (value: unknown): boolean => typeof value === 'string' && value.includes(mask);

/** Masks a key for display: keeps its prefix and its last four characters. */
export const maskKey = (key: string): string =>
  key.length >= 16 ? `${key.startsWith('uptime_') ? 'uptime_' : ''}…${key.slice(-4)}` : '…';

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
  if (typeof shown['url'] === 'string') shown['url'] = withoutPassword(shown['url']);
  // The fields keep their types.
  return shown as unknown as M;
}
