import type { Fields } from '../kinds/kind.ts';
import type { Collection } from './collection.ts';
import type { Row } from './kuma-data.ts';
import { isMap, numberOf, textOf, textsOf } from './parse-data.ts';
import { withoutRedirects } from './without-redirects.ts';

/** Returns the fields of a monitor that sends an HTTP request. */
export function kumaHttp(row: Row, type: string, about: string, note: Collection['note']): Fields & { type: string } {
  const lost = (what: string) => note('lost', about, what);
  if (type === 'json-query') lost('the JSON query: only text in the body can be expected');
  if (type === 'real-browser') lost('the browser: the page is requested, but not rendered');
  const isInverted = isOn(row['invert_keyword']);
  if (isInverted) lost('the inverted keyword');
  const maxRedirects = numberOf(row['maxredirects']);
  if (maxRedirects === 0)
    note('changed', about, 'the limit of 0 redirects: redirects are followed, unless `expectedStatus` names a 3xx');
  if (maxRedirects !== undefined && maxRedirects !== 0 && maxRedirects !== 10)
    lost(`the limit of ${maxRedirects} redirects`);
  if (isOn(row['cache_bust'])) lost('the random parameter against caches');
  const proof = authorization(row, lost);
  if (proof['Authorization']?.startsWith('Basic '))
    note('changed', about, 'the log-in: the header holds `Basic`, a space, and `<user>:<password>` in Base64');
  const headers = { ...bodyType(row), ...proof, ...textsOf(parsedColumn(row['headers'])) };
  const accepted = statusOf(parsedColumn(row['accepted_statuscodes_json']));
  const expectedStatus = accepted && maxRedirects !== 0 ? (withoutRedirects(accepted) ?? accepted) : accepted;
  if (expectedStatus !== accepted)
    note('changed', about, `${accepted}: redirects are followed, so their codes are left out`);
  return {
    type: 'http',
    url: textOf(row['url']),
    method: textOf(row['method'])?.toUpperCase(),
    expectedStatus,
    bodyContains: type === 'keyword' && !isInverted ? textOf(row['keyword']) : undefined,
    body: textOf(row['body']),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(isOn(row['ignore_tls']) && { verifyTls: false }),
  };
}

const isOn = (value: unknown): boolean => value === true || value === 1;

function authorization(row: Row, lost: (what: string) => void): Record<string, string> {
  const [user, token] = [textOf(row['basic_auth_user']), textOf(row['bearer_token'])];
  // A backup of an early version has no field for the authentication method.
  const method = 'auth_method' in row ? textOf(row['auth_method']) : 'basic';
  if (method === 'bearer' && token !== undefined) return { Authorization: `Bearer ${token}` };
  if (method === 'basic' && user !== undefined) {
    const pair = `${user}:${textOf(row['basic_auth_pass']) ?? ''}`;
    return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  }
  if (method !== undefined && method !== 'basic') lost(`authentication by ${method}`);
  return {};
}

const bodyTypes: Record<string, string | undefined> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'text/xml; charset=utf-8',
};

/** Returns the header `Content-Type` that Uptime Kuma sends with a body. */
function bodyType(row: Row): Record<string, string> {
  const type = bodyTypes[textOf(row['http_body_encoding']) ?? 'json'];
  return textOf(row['body']) === undefined || type === undefined ? {} : { 'Content-Type': type };
}

/** Returns the accepted codes in the form of `expectedStatus`; undefined if they are the default. */
function statusOf(codes: unknown): string | undefined {
  const texts = Array.isArray(codes) ? codes.map(String).filter((code) => /^\d{3}(?:-\d{3})?$/.test(code)) : [];
  return texts.length === 0 || texts.join(',') === '200-299' ? undefined : texts.join(',');
}

/** Parses a column that contains JSON. In a backup, the value is already parsed, and is returned unchanged. */
export function parsedColumn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const found = JSON.parse(value) as unknown;
    return isMap(found) || Array.isArray(found) ? found : undefined;
  } catch {
    // The text is not JSON, so there are no headers or codes to import.
    return undefined;
  }
}
