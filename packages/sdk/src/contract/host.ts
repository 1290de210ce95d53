const label = /^[a-z0-9_-]{1,63}$/;

/**
 * Returns the ASCII form of a host name or an IP address, as addresses, fields and settings use it. The form is in
 * lower case, with an international name in punycode and an IPv6 address in brackets. Returns null for an invalid host:
 * an empty part, a wildcard, a number out of range, or characters other than letters, digits, dashes and underscores.
 */
export function asciiHostName(given: string): string | null {
  const zoneless = given.replace(/^(\[?[^%\]]*:[^%\]]*)%[^\]]*/, '$1');
  const bare = zoneless.includes(':') && !zoneless.startsWith('[') ? `[${zoneless}]` : zoneless;
  if (/[\s/?#@\\]/.test(bare) || (bare.includes(':') && !/^\[[^[\]]*\]$/.test(bare))) return null;
  const host = URL.parse(`http://${bare}/`)?.hostname ?? '';
  if (host.startsWith('[')) return host;
  const name = host.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every((part) => label.test(part)) ? host : null;
}
