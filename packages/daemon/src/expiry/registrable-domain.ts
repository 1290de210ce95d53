import { toRegistrableDomain } from 'rdapper';

/**
 * Returns the domain that an owner registered and must renew, by the public suffix list: `example.co.uk` for
 * `shop.example.co.uk`. Null for IP addresses and `localhost`. Also null for a name that a hosting provider hands out,
 * such as `shop.github.io`, because its user cannot renew it.
 */
export function registrableDomain(name: string): string | null {
  // The host as a browser reads it: in lower case and punycode. A bare IPv6 address is not a valid host of a URL, so
  // the result is null.
  const host = URL.parse(`http://${name}`)?.hostname.replace(/\.$/, '');
  if (!host) return null;
  const registered = toRegistrableDomain(host);
  return registered === toRegistrableDomain(host, { allowPrivateDomains: true }) ? registered : null;
}
