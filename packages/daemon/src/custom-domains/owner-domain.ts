import { toRegistrableDomain } from 'rdapper';

/**
 * Returns the domain whose owner controls a name, by the public suffix list: `example.co.uk` for
 * `status.example.co.uk`. A name that a hosting provider gives to a customer, such as `shop.github.io`, is returned as
 * it is. If the suffix is unknown, returns the last two labels of the name.
 */
export function ownerDomain(name: string): string {
  const registered = toRegistrableDomain(name);
  if (registered === null) return name.split('.').slice(-2).join('.');
  return toRegistrableDomain(name, { allowPrivateDomains: true }) === null ? name : registered;
}
