import type { Collection } from './collection.ts';
import { durationSeconds } from './go-duration.ts';
import { withoutRedirects } from './status-range.ts';

/** The fields that conditions of Gatus become. A condition that has no field here becomes a note. */
export function conditionFields(conditions: readonly string[], about: string, type: string, { note }: Collection) {
  const fields: Record<string, unknown> = {};
  for (const condition of conditions) {
    const fits = readers.some(([pattern, read]) => {
      const match = pattern.exec(condition.trim());
      const found = match && read(match.slice(1).map(String), type);
      if (!found) return false;
      const [field] = Object.keys(found);
      if (field !== undefined && field in fields) return false;
      if ('timeout' in found) note('changed', about, `${condition}: a slower answer fails by its timeout`);
      if ('sslExpiryThreshold' in found || 'domainExpiryThreshold' in found)
        note('better', about, `${condition}: an expiry is an alert of its own, and not an outage`);
      Object.assign(fields, found);
      return true;
    });
    if (!fits) note('lost', about, `${condition}: there is no such condition here`);
  }
  // Without a condition about it, Gatus accepts every status.
  if (type === 'http' && !conditions.some((condition) => condition.includes('[STATUS]')))
    fields['expectedStatus'] = '200-299,400-599';
  return fields;
}

type Read = (parts: readonly string[], type: string) => Record<string, unknown> | null;

const whole = (text = '', unit: number): number => Math.max(1, Math.ceil((durationSeconds(text) ?? 0) / unit));

function statusBelow(most: number): Record<string, unknown> | null {
  const expectedStatus = withoutRedirects(`200-${most}`);
  return expectedStatus === undefined ? null : { expectedStatus };
}

const readers: readonly (readonly [RegExp, Read])[] = [
  [/^\[CONNECTED\] == true$/, () => ({})],
  [/^\[DNS_RCODE\] == NOERROR$/, (_, type) => (type === 'dns' ? {} : null)],
  [/^\[STATUS\] == (\d{3})$/, ([code], type) => (type === 'http' ? { expectedStatus: code } : null)],
  [
    /^\[STATUS\] == any\(([\d, ]+)\)$/,
    ([codes = ''], type) => (type === 'http' ? { expectedStatus: codes.replaceAll(' ', '') } : null),
  ],
  [
    /^\[STATUS\] (<=?) (\d{3})$/,
    ([sign, code], type) => (type === 'http' ? statusBelow(Number(code) - (sign === '<' ? 1 : 0)) : null),
  ],
  [/^\[BODY\] == pat\(\*([^*]+)\*\)$/, ([text], type) => (type === 'http' ? { bodyContains: text } : null)],
  [/^\[BODY\] == ([^[\]()]+)$/, ([value], type) => (type === 'dns' ? { expectedValue: value } : null)],
  [/^\[RESPONSE_TIME\] <=? (\d{4,6})$/, ([limit]) => ({ timeout: Math.min(120, Math.floor(Number(limit) / 1000)) })],
  [
    /^\[CERTIFICATE_EXPIRATION\] >=? (\w+)$/,
    ([time], type) => (type === 'http' ? { sslExpiryThreshold: whole(time, 86_400) } : null),
  ],
  [
    /^\[DOMAIN_EXPIRATION\] >=? (\w+)$/,
    ([time], type) => (type === 'http' ? { domainExpiryThreshold: whole(time, 86_400) } : null),
  ],
];
