import { toRegistrableDomain } from 'rdapper';

/**
 * Whether a name is itself a registered domain, such as `example.co.uk`. For such a name, DNS does not allow a CNAME.
 */
export const isApex = (name: string): boolean => toRegistrableDomain(name) === name;
