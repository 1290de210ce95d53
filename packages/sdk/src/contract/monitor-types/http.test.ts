import { describe, expect, test } from 'vitest';
import { monitorType, validateMonitor } from '../index.ts';

const base = { type: 'http', name: 'Shop', url: 'https://shop.example.com/' };

/** Returns the faults of `base` with these changes, each as `path code`. */
const faultsOf = (change: object) => {
  const parsed = validateMonitor({ ...base, ...change });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};
const filled = (change: object) => {
  const parsed = validateMonitor({ ...base, ...change });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value;
};
const definition = monitorType('http');

describe('an HTTP monitor accepts', () => {
  test.each<[string, object]>([
    ['an address without a path', { url: 'http://shop' }],
    ['a scheme in capitals', { url: 'HTTPS://shop.example.com' }],
    ['an address with a port, a query and a fragment', { url: 'http://127.0.0.1:65535/?a=1#b' }],
    ['credentials in the address', { url: 'https://ada:hush@shop.example.com/' }],
    ['an IPv6 address in brackets', { url: 'http://[2001:db8::1]/' }],
    ['an address of 2048 characters', { url: `http://h/${'x'.repeat(2039)}` }],
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].map((method): [string, object] => [
      `the method ${method}`,
      { method },
    ]),
    ['one expected code', { expectedStatus: 204 }],
    ['a text to find of 10,000 characters', { bodyContains: 'x'.repeat(10_000) }],
    ['a header without a value', { headers: { 'x-empty': '' } }],
    ['a header value with a tab', { headers: { 'x-a': 'a\tb' } }],
    ['a header value in Latin-1', { headers: { 'x-a': 'Käse' } }],
    ['a header name of 200 characters', { headers: { ['x'.repeat(200)]: 'v' } }],
    ['50 headers', { headers: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x-${n}`, 'v'])) }],
    ['8192 characters of headers', { headers: { ab: 'v'.repeat(4094), cd: 'v'.repeat(4094) } }],
    ['a Host header of its own', { headers: { host: 'other.example.com' } }],
    ['a body of 100,000 characters', { method: 'POST', body: 'x'.repeat(100_000) }],
    ['a body with GET, which does not send it', { body: 'x' }],
    ['false as verifyTls', { verifyTls: false }],
    ['a certificate threshold of a day', { sslExpiryThreshold: 1 }],
    ['a certificate threshold of a year', { sslExpiryThreshold: 365 }],
    ['a domain threshold of a day', { domainExpiryThreshold: 1 }],
    ['a domain threshold of a year', { domainExpiryThreshold: 365 }],
    ['a leap day as the expiry date of the domain', { domainExpiresOn: '2028-02-29' }],
  ])('an HTTP monitor accepts %s', (_, change) => expect(faultsOf(change)).toEqual([]));
});

describe('an HTTP monitor refuses', () => {
  test.each([
    ['a missing address', { url: undefined }, 'url required'],
    ['an empty address', { url: '' }, 'url bad_format'],
    ['an address with the scheme ws', { url: 'ws://shop.example.com' }, 'url bad_format'],
    ['an address without a host', { url: 'https://?q' }, 'url not_an_address'],
    ['an address with a blank', { url: 'http://shop/a b' }, 'url bad_format'],
    ['an address with a line break', { url: 'http://shop/\n' }, 'url bad_format'],
    ['a wildcard as the host', { url: 'https://*.example.com/' }, 'url bad_address_host'],
    ['an escaped host', { url: 'https://%73hop.example.com/' }, 'url bad_address_host'],
    ['a number out of range in the host', { url: 'http://256.1.1.1/' }, 'url not_an_address'],
    ['port zero', { url: 'http://shop:0/' }, 'url bad_address_port'],
    ['a port that is too large', { url: 'http://shop:65536/' }, 'url not_an_address'],
    ['an address of 2049 characters', { url: `http://h/${'x'.repeat(2040)}` }, 'url too_big'],
    ['a method in small letters', { method: 'get' }, 'method not_a_choice'],
    ['an unknown method', { method: 'TRACE' }, 'method not_a_choice'],
    ['an empty text to find', { bodyContains: '' }, 'bodyContains too_small'],
    ['a text to find of 10,001 characters', { bodyContains: 'x'.repeat(10_001) }, 'bodyContains too_big'],
    ['a text to find in the response to HEAD', { method: 'HEAD', bodyContains: 'x' }, 'bodyContains no_response_body'],
    ['a header name with a blank', { headers: { 'x a': 'v' } }, 'headers.x a bad_name'],
    ['a header name of 201 characters', { headers: { ['x'.repeat(201)]: 'v' } }, `headers.${'x'.repeat(201)} bad_name`],
    ['a header value with a line break', { headers: { a: 'v\r\nb: w' } }, 'headers.a bad_format'],
    ['a header value beyond Latin-1', { headers: { a: '🧀' } }, 'headers.a bad_format'],
    ['a header value that is a number', { headers: { a: 1 } }, 'headers.a wrong_type'],
    [
      'headers of 8193 characters',
      { headers: { ab: 'v'.repeat(4095), cd: 'v'.repeat(4094) } },
      'headers headers_too_long',
    ],
    [
      'a header that defines where the request ends',
      { headers: { 'Transfer-Encoding': 'chunked' } },
      'headers.Transfer-Encoding reserved_header',
    ],
    ['a header twice', { headers: { Accept: 'a', accept: 'b' } }, 'headers.accept repeated_header'],
    ['an empty body', { body: '' }, 'body too_small'],
    ['a body of 100,001 characters', { body: 'x'.repeat(100_001) }, 'body too_big'],
    ['a body that is JSON, not text', { body: { a: 1 } }, 'body wrong_type'],
    ['the word no as verifyTls', { verifyTls: 'no' }, 'verifyTls wrong_type'],
    ['a certificate threshold of zero', { sslExpiryThreshold: 0 }, 'sslExpiryThreshold too_small'],
    ['a certificate threshold beyond a year', { sslExpiryThreshold: 366 }, 'sslExpiryThreshold too_big'],
    ['a domain threshold of zero', { domainExpiryThreshold: 0 }, 'domainExpiryThreshold too_small'],
    ['a domain threshold beyond a year', { domainExpiryThreshold: 366 }, 'domainExpiryThreshold too_big'],
    ['a day that does not exist', { domainExpiresOn: '2027-02-29' }, 'domainExpiresOn bad_format'],
    ['a date with a time', { domainExpiresOn: '2030-01-31T00:00:00Z' }, 'domainExpiresOn bad_format'],
    ['the field certificate, which only responses have', { certificate: null }, 'certificate unknown_field'],
    ['a field of DNS', { hostname: 'a' }, 'hostname unknown_field'],
  ])('an HTTP monitor refuses %s', (_, change, fault) => expect(faultsOf(change)).toEqual([fault]));
});

test('by default, a check sends a GET, and expects a status of 200 to 299 and a valid certificate within 30 seconds', () => {
  expect(filled({})).toMatchObject({
    timeout: 30,
    method: 'GET',
    expectedStatus: '200-299',
    bodyContains: null,
    headers: {},
    body: null,
    verifyTls: true,
    sslExpiryThreshold: 14,
    domainExpiryThreshold: 30,
    domainExpiresOn: null,
  });
});

test('the credentials of the address, all header values and the body are secrets', () => {
  expect(definition.secrets).toEqual({ url: 'credentials', headers: 'values', body: 'whole' });
});

test('an edit of the request or of the expected response restarts the failure count; an edit of an expiry setting does not', () => {
  const restarts = Object.entries(definition.target).filter(([, isTarget]) => isTarget);
  expect(restarts.map(([field]) => field)).toEqual([
    'url',
    'method',
    'expectedStatus',
    'bodyContains',
    'headers',
    'body',
    'verifyTls',
  ]);
});

test.each([
  ['https://shop.example.com/', true, 'shop.example.com'],
  ['HTTPS://shop.example.com/', true, 'shop.example.com'],
  ['http://shop.example.com:8080/', false, 'shop.example.com'],
])(
  'a monitor of %s expects a certificate: %s; the daemon watches the expiry of the domain of %s',
  (url, expected, host) => {
    const monitor = filled({ url, sslExpiryThreshold: 7, domainExpiryThreshold: 20, domainExpiresOn: '2030-01-31' });
    expect(definition.certificate?.isExpected(monitor)).toBe(expected);
    expect(definition.certificate?.thresholdDays(monitor)).toBe(7);
    expect(definition.domain?.thresholdDays(monitor)).toBe(20);
    expect(definition.domain?.expiresOn(monitor)).toBe('2030-01-31');
    expect(definition.host(monitor)).toBe(host);
    expect(definition.address(monitor)).toBe(url);
  },
);
