const label = /^[a-z0-9_-]{1,63}$/;

/**
 * The ASCII form of a host name or an IP address, as it may stand in an address, a field or a setting: in lower case, an
 * international name in punycode, an IPv6 address in brackets. Null for what names no host: an empty part, a
 * wildcard, a part with other characters than letters, digits, dashes and underscores, or a number out of range.
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
