import { addressFaults } from './request-rules.ts';
import { asciiHostName } from './host.ts';
import { type StatusPageFields, statusPageInput } from './status-pages.ts';
import { type Fault, faultAt } from './fault-at.ts';
import { validate, type Validated } from './validate.ts';

/**
 * Validates the input that creates a status page, by its schema and by rules for its custom domain and its addresses.
 * Returns the domain in lower case, and an international domain in punycode.
 *
 * @example
 * const parsed = validateStatusPage({ name: 'Shop', slug: 'shop', customDomain: 'Status.Example.com' });
 * if (parsed.ok) console.log(parsed.value.customDomain); // status.example.com
 */
export function validateStatusPage(input: unknown): Validated<StatusPageFields> {
  const parsed = validate(statusPageInput, input);
  const given = parsed.ok ? parsed.value.customDomain : textOf(input, 'customDomain');
  const customDomain = given === null ? null : domainName(given);
  const faults = parsed.ok ? [] : parsed.faults;
  const faultyPaths = new Set(faults.map(({ path }) => path));
  const rules: Fault[] = given !== null && customDomain === null ? [notADomain] : [];
  for (const field of ['homeUrl', 'iconUrl'] as const) {
    const address = textOf(input, field);
    if (address !== null) rules.push(...publicAddressFaults(field, address));
  }
  faults.push(...rules.filter(({ path }) => !faultyPaths.has(path)));
  return parsed.ok && faults.length === 0
    ? { ok: true, value: { ...parsed.value, customDomain } }
    : { ok: false, faults };
}

/** Returns a field of the input if it is a text, and otherwise null. The other fields of the input may be invalid. */
function textOf(input: unknown, field: string): string | null {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[field] : null;
  return typeof value === 'string' ? value : null;
}

/** Returns the faults of an address. The page is public, so its addresses must not hold credentials. */
function publicAddressFaults(path: string, address: string): Fault[] {
  const parsed = URL.parse(address);
  if (parsed && (parsed.username !== '' || parsed.password !== '')) return [faultAt(path, 'public_credentials')];
  return addressFaults(path, address);
}

const notADomain = faultAt('customDomain', 'not_a_domain');

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const name = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`);

/** Returns a domain name in its DNS form. Returns null for any other text, such as `localhost` or an IP address. */
function domainName(given: string): string | null {
  const host = asciiHostName(given) ?? '';
  return name.test(host) && !/(^|\.)localhost$/.test(host) ? host : null;
}
