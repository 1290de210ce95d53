const label = /^[a-z0-9_-]{1,63}$/;

/** Characters that an address parser decodes or drops. With them, a request goes to another host than people see. */
const disguise = /[%\p{Cc}[\p{Default_Ignorable_Code_Point}--[\u200c\u200d]]]/v;

/** Whether the host in a written address contains escapes or invisible characters. */
export const disguisesHost = (address: string): boolean =>
  disguise.test(/^[^:]*:\/\/(?:[^/?#\\]*@)?([^/?#\\]*)/.exec(address)?.[1] ?? '');

/**
 * Returns the ASCII form of a host name or an IP address from an address, a field or a setting. The form is in lower
 * case, with an international name in punycode and an IPv6 address in brackets. Returns null for an invalid host:
 * an empty part, a wildcard, a number out of range, an invisible character, or characters other than letters, digits,
 * dashes and underscores.
 */
export function asciiHostName(given: string): string | null {
  const zoneless = given.replace(/^(\[?[^%\]]*:[^%\]]*)%[^\]]*/, '$1');
  const bare = zoneless.includes(':') && !zoneless.startsWith('[') ? `[${zoneless}]` : zoneless;
  if (/[\s/?#@\\]/.test(bare) || disguise.test(bare) || (bare.includes(':') && !/^\[[^[\]]*\]$/.test(bare)))
    return null;
  const host = URL.parse(`http://${bare}/`)?.hostname ?? '';
  if (host.startsWith('[')) return host;
  const name = host.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every((part) => label.test(part)) ? host : null;
}
