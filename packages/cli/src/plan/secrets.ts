import type { Monitor } from '@uptime/sdk';

/** Whether a header or label goes by a name that usually holds a credential. */
export const isSensitive = (path: string): boolean =>
  /^(?:headers|labels)\..*(?:auth(?!ors?\b)|cookie|token|key|secret|passw|signature|credential)/i.test(path);

/** An address with a password, taken apart around it; null for any other text. */
export function passwordIn(text: string): [before: string, password: string, after: string] | null {
  const [, before, password, after] = /^([a-z][a-z0-9+.-]*:\/\/[^\s/?#:@]*:)([^\s/?#@]+)(@.*)$/is.exec(text) ?? [];
  return before && password && after ? [before, password, after] : null;
}

/** A value fit for showing: the password in an address is left out. */
export function withoutPassword(text: string): string {
  const parts = passwordIn(text);
  return parts ? `${parts[0]}…${parts[2]}` : text;
}

/** Stands for a value that is not shown. */
export const hidden = '••••';

/** A monitor fit for showing: the values of headers and labels that usually hold a credential are left out. */
export function withoutSecrets<M extends Monitor>(monitor: M): M {
  const shown: Record<string, unknown> = { ...monitor };
  for (const field of ['headers', 'labels']) {
    const entries = Object.entries((shown[field] as Record<string, string> | undefined) ?? {});
    if (entries.length === 0) continue;
    shown[field] = Object.fromEntries(
      entries.map(([name, value]) => [name, isSensitive(`${field}.${name}`) ? hidden : value]),
    );
  }
  if (typeof shown['url'] === 'string') shown['url'] = withoutPassword(shown['url']);
  // The same fields, of the same types.
  return shown as unknown as M;
}
