import { toRegistrableDomain } from 'rdapper';

/**
 * The domain whose owner controls a name, by the public suffix list: `example.co.uk` for `status.example.co.uk`. A name
 * that a hosting provider hands out, such as `shop.github.io`, counts by itself. A name without a known suffix counts
 * by its last two labels.
 */
export function ownerDomain(name: string): string {
  const registered = toRegistrableDomain(name);
  if (registered === null) return name.split('.').slice(-2).join('.');
  return toRegistrableDomain(name, { allowPrivateDomains: true }) === null ? name : registered;
}
