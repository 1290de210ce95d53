import { toRegistrableDomain } from 'rdapper';

/**
 * The domain whose owner controls a name, by the public suffix list: `example.co.uk` for `status.example.co.uk`. For a
 * name that a hosting provider hands out, such as `shop.github.io`, it is the name itself. If the suffix is unknown, it
 * is the last two labels of the name.
 */
export function ownerDomain(name: string): string {
  const registered = toRegistrableDomain(name);
  if (registered === null) return name.split('.').slice(-2).join('.');
  return toRegistrableDomain(name, { allowPrivateDomains: true }) === null ? name : registered;
}
