import { toRegistrableDomain } from 'rdapper';

/** Whether a name is a registered domain itself, such as `example.co.uk`. DNS allows no CNAME at the top of a zone. */
export const isApex = (name: string): boolean => toRegistrableDomain(name) === name;
