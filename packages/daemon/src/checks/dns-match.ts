import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { RecordType } from './resolver.ts';

/**
 * Whether a record has the expected value. Addresses match in any notation, and a TXT record has to contain the value.
 * In names, upper and lower case are the same, and a dot at the end makes no difference. The expected value of an MX
 * record may omit the preference.
 */
export const recordMatches = (type: RecordType, record: string, expected: string): boolean =>
  matchers[type](record, expected);

const matchers: Record<RecordType, (record: string, expected: string) => boolean> = {
  A: addressMatches,
  AAAA: addressMatches,
  CNAME: (record, expected) => canonicalName(record) === canonicalName(expected),
  MX: (record, expected) => mxMatches(record, expected.trim()),
  TXT: (record, expected) => record.includes(expected),
};

function addressMatches(record: string, expected: string): boolean {
  const wanted = canonicalAddress(expected);
  return wanted !== null && wanted === canonicalAddress(record);
}

function mxMatches(record: string, expected: string): boolean {
  const [preference, exchange = ''] = record.split(' ');
  const given = /^(\d+)\s+(\S+)$/.exec(expected);
  if (!given) return canonicalName(exchange) === canonicalName(expected);
  return Number(given[1]) === Number(preference) && canonicalName(exchange) === canonicalName(given[2]!);
}

function canonicalAddress(text: string): string | null {
  const address = text.trim();
  const family = isIP(address);
  if (family === 4) return address;
  return family === 6 ? (URL.parse(`http://[${address}]/`)?.hostname ?? null) : null;
}

function canonicalName(text: string): string {
  const name = text.trim();
  return (domainToASCII(name) || name).toLowerCase().replace(/\.$/, '');
}
