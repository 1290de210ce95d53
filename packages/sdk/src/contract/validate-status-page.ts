import { type StatusPageFields, statusPageInput } from './status-pages.ts';
import { type Fault, validate, type Validated } from './validate.ts';

/**
 * Validates what creates a status page: the schema, and that `customDomain` is a name that can point here. The name
 * comes back in lower case, an international one in punycode.
 *
 * @example
 * const parsed = validateStatusPage({ name: 'Shop', slug: 'shop', customDomain: 'Status.Example.com' });
 * if (parsed.ok) console.log(parsed.value.customDomain); // status.example.com
 */
export function validateStatusPage(input: unknown): Validated<StatusPageFields> {
  const parsed = validate(statusPageInput, input);
  if (!parsed.ok || parsed.value.customDomain === null) return parsed;
  const customDomain = domainName(parsed.value.customDomain);
  if (customDomain === null) return { ok: false, faults: [notADomain] };
  return { ok: true, value: { ...parsed.value, customDomain } };
}

const notADomain: Fault = {
  path: 'customDomain',
  message: 'must be a domain name such as status.example.com, without scheme, port, path or wildcard',
};

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const name = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`);

/** The name as the DNS knows it; null for what is none, or could never point at a server of another's. */
function domainName(given: string): string | null {
  if (!/^[^\s/:@?#[\]\\%*]+$/.test(given)) return null;
  const host = URL.parse(`http://${given}`)?.hostname ?? '';
  return name.test(host) && !/(^|\.)localhost$/.test(host) ? host : null;
}
