import { toRegistrableDomain } from 'rdapper';

/**
 * The domain that somebody registered and has to renew, by the public suffix list: `example.co.uk` of
 * `shop.example.co.uk`. Null for addresses of another kind (IP, `localhost`), and where the name is one that a hoster
 * gives out below a domain of its own, such as `shop.github.io`: whoever runs the shop cannot renew that.
 */
export function registrableDomain(name: string): string | null {
  // As a browser reads it, in small letters and punycode. A host that is no part of a URL, such as a bare IPv6 address, has none.
  const host = URL.parse(`http://${name}`)?.hostname.replace(/\.$/, '');
  if (!host) return null;
  const registered = toRegistrableDomain(host);
  return registered === toRegistrableDomain(host, { allowPrivateDomains: true }) ? registered : null;
}
