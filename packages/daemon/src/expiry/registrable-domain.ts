import { toRegistrableDomain } from 'rdapper';

/**
 * The domain that somebody registered and has to renew, by the public suffix list: `example.co.uk` of
 * `shop.example.co.uk`. Null for addresses of another kind (IP, `localhost`), and where the name is one that a hoster
 * gives out below a domain of its own, such as `shop.github.io`: whoever runs the shop cannot renew that.
 */
export function registrableDomain(url: string): string | null {
  const host = URL.parse(url)?.hostname;
  if (!host) return null;
  const registered = toRegistrableDomain(host);
  return registered === toRegistrableDomain(host, { allowPrivateDomains: true }) ? registered : null;
}
