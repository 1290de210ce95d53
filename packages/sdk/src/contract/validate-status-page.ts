import { asciiHostName } from './host.ts';
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
  const given = parsed.ok ? parsed.value.customDomain : domainIn(input);
  const customDomain = given === null ? null : domainName(given);
  const faults = parsed.ok ? [] : parsed.faults;
  if (given !== null && customDomain === null && !faults.some(({ path }) => path === notADomain.path))
    faults.push(notADomain);
  return parsed.ok && faults.length === 0
    ? { ok: true, value: { ...parsed.value, customDomain } }
    : { ok: false, faults };
}

/** The domain of what is otherwise faulty: each fault is told, not only the first kind. */
const domainIn = (input: unknown): string | null =>
  typeof input === 'object' && input !== null && 'customDomain' in input && typeof input.customDomain === 'string'
    ? input.customDomain
    : null;

const notADomain: Fault = {
  path: 'customDomain',
  message: 'must be a domain name such as status.example.com, without scheme, port, path or wildcard',
};

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const name = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`);

/** The name as the DNS knows it; null for what is none, or could never point at a server of another's. */
function domainName(given: string): string | null {
  const host = asciiHostName(given) ?? '';
  return name.test(host) && !/(^|\.)localhost$/.test(host) ? host : null;
}
