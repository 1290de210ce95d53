import { maxTimeoutSeconds } from '@uptime/sdk/contract';
import type { Collection } from './collection.ts';
import { durationSeconds } from './go-duration.ts';
import { withoutRedirects } from './without-redirects.ts';

/** Converts conditions of Gatus to fields of a monitor. A condition that corresponds to no field becomes a note. */
export function conditionFields(conditions: readonly string[], about: string, type: string, { note }: Collection) {
  const fields: Record<string, unknown> = {};
  const comparisons = type === 'http' ? conditions.flatMap((one) => comparisonOf(one.trim()) ?? []) : [];
  for (const condition of conditions) {
    if (type === 'http' && comparisonOf(condition.trim())) continue;
    const fits = readers.some(([pattern, read]) => {
      const match = pattern.exec(condition.trim());
      const found = match && read(match.slice(1).map(String), type);
      if (!found) return false;
      const [field] = Object.keys(found);
      if (field !== undefined && field in fields) return false;
      if ('timeout' in found) note('changed', about, `${condition}: a slower answer exceeds the timeout and fails`);
      if ('sslExpiryThreshold' in found || 'domainExpiryThreshold' in found)
        note('better', about, `${condition}: an expiry leads to an alert of its own, not to an outage`);
      Object.assign(fields, found);
      return true;
    });
    if (!fits) note('lost', about, `${condition}: there is no such condition here`);
  }
  if (comparisons.length > 0) compareStatus(fields, comparisons, about, note);
  // Without a condition about the status, Gatus accepts every status.
  if (type === 'http' && !conditions.some((condition) => condition.includes('[STATUS]')))
    fields['expectedStatus'] = '200-299,400-599';
  return fields;
}

type Read = (parts: readonly string[], type: string) => Record<string, unknown> | null;

const whole = (text = '', unit: number): number => Math.max(1, Math.ceil((durationSeconds(text) ?? 0) / unit));

/** A condition that compares the status with a number, and a function that says whether a status satisfies it. */
interface Comparison {
  condition: string;
  fits: (status: number) => boolean;
}

function comparisonOf(condition: string): Comparison | null {
  const [, sign = '', text = ''] = /^\[STATUS\] (<=?|>=?|!=) (\d{3})$/.exec(condition) ?? [];
  const code = Number(text);
  const signs: Record<string, Comparison['fits']> = {
    '<': (status) => status < code,
    '<=': (status) => status <= code,
    '>': (status) => status > code,
    '>=': (status) => status >= code,
    '!=': (status) => status !== code,
  };
  return Object.hasOwn(signs, sign) ? { condition, fits: signs[sign]! } : null;
}

/**
 * Sets `expectedStatus` to the codes that satisfy all comparisons. If another condition already lists codes, considers
 * only these.
 */
function compareStatus(
  fields: Record<string, unknown>,
  comparisons: readonly Comparison[],
  about: string,
  note: Collection['note'],
): void {
  const given = typeof fields['expectedStatus'] === 'string' ? fields['expectedStatus'].split(',').map(Number) : null;
  const all = given ?? Array.from({ length: 400 }, (_, i) => 200 + i);
  const fitting = all.filter((status) => comparisons.every(({ fits }) => fits(status)));
  const expectedStatus = given || fitting.length === 0 ? fitting.join(',') : withoutRedirects(rangesOf(fitting));
  if (expectedStatus) fields['expectedStatus'] = expectedStatus;
  else
    for (const { condition } of comparisons)
      note('lost', about, `${condition}: no status can satisfy this condition here`);
}

/** Returns sorted numbers as ranges, such as `200-299,404`. */
function rangesOf(numbers: readonly number[]): string {
  const ends = numbers.filter((number, i) => numbers[i + 1] !== number + 1);
  const begins = numbers.filter((number, i) => numbers[i - 1] !== number - 1);
  return begins.map((begin, i) => (begin === ends[i] ? `${begin}` : `${begin}-${ends[i]}`)).join(',');
}

const readers: readonly (readonly [RegExp, Read])[] = [
  [/^\[CONNECTED\] == true$/, () => ({})],
  [/^\[DNS_RCODE\] == NOERROR$/, (_, type) => (type === 'dns' ? {} : null)],
  [/^\[STATUS\] == (\d{3})$/, ([code], type) => (type === 'http' ? { expectedStatus: code } : null)],
  [
    /^\[STATUS\] == any\(([\d, ]+)\)$/,
    ([codes = ''], type) => (type === 'http' ? { expectedStatus: codes.replaceAll(' ', '') } : null),
  ],
  [/^\[BODY\] == pat\(\*([^*]+)\*\)$/, ([text], type) => (type === 'http' ? { bodyContains: text } : null)],
  [/^\[BODY\] == ([^[\]()]+)$/, ([value], type) => (type === 'dns' ? { expectedValue: value } : null)],
  [
    /^\[RESPONSE_TIME\] <=? (\d{4,6})$/,
    ([limit]) => ({ timeout: Math.min(maxTimeoutSeconds, Math.floor(Number(limit) / 1000)) }),
  ],
  [
    /^\[CERTIFICATE_EXPIRATION\] >=? (\w+)$/,
    ([time], type) => (type === 'http' ? { sslExpiryThreshold: whole(time, 86_400) } : null),
  ],
  [
    /^\[DOMAIN_EXPIRATION\] >=? (\w+)$/,
    ([time], type) => (type === 'http' ? { domainExpiryThreshold: whole(time, 86_400) } : null),
  ],
];
