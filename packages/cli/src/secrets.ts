import type { Monitor } from '@uptime/sdk';
import { mask } from './mask.ts';

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
