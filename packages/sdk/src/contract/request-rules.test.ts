import { expect, test } from 'vitest';
import { isPlainHeader } from './plain-headers.ts';
import { addressFaults, entryFaults, headerFaults } from './request-rules.ts';

const codes = (faults: { path: string; code: string }[]) => faults.map(({ path, code }) => `${path} ${code}`);

test.each([
  ['http://localhost', []],
  ['https://example.com:65535/a?b#c', []],
  ['http://[::1]:8080/', []],
  ['https://bücher.example/', []],
  ['http://a_b.example/', []],
  ['ftp://example.com', ['url not_an_address']],
  ['example.com', ['url not_an_address']],
  ['http:///path', []],
  ['http://', ['url not_an_address']],
  ['http://a:99999/', ['url not_an_address']],
  ['http://a:0/', ['url bad_address_port']],
  ['http://a..b/', ['url bad_address_host']],
  ['http://(a)/', ['url bad_address_host']],
  ['http://%61.example/', ['url bad_address_host']],
  ['http://ada@%61.example/', ['url bad_address_host']],
  ['http://a\u00ad.example/', ['url bad_address_host']],
  // An escape in the path is allowed, because it does not hide the host.
  ['http://a.example/%61', []],
])('the address %s has the faults %j', (address, faults) =>
  expect(codes(addressFaults('url', address))).toEqual(faults),
);

test.each(['Connection', 'content-length', 'EXPECT', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade'])(
  'the header %s cannot be set, because the daemon writes it itself',
  (name) => {
    expect(codes(headerFaults('headers', { [name]: 'x' }))).toEqual([`headers.${name} reserved_header`]);
  },
);

test.each(['Host', 'Authorization', 'Cookie', 'Content-Type', 'User-Agent', 'X-Forwarded-For'])(
  'the header %s may be set',
  (name) => expect(headerFaults('headers', { [name]: 'x' })).toEqual([]),
);

test('each repetition of a header is a fault that names the first spelling', () => {
  const faults = headerFaults('headers', { Accept: '1', ACCEPT: '2', accept: '3' });
  expect(codes(faults)).toEqual(['headers.ACCEPT repeated_header', 'headers.accept repeated_header']);
  expect(faults.map(({ params }) => params)).toEqual([{ same: 'Accept' }, { same: 'Accept' }]);
});

test('too many or too long headers lead to one fault, which has their number or their length', () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`te${n}`, 'x']));
  expect(headerFaults('headers', { ...many, te: 'x' })).toMatchObject([
    { path: 'headers', code: 'too_many_entries', params: { maxCount: 50, count: 52 } },
  ]);
  expect(headerFaults('headers', { te: 'x'.repeat(8191) })).toMatchObject([
    { path: 'headers', code: 'headers_too_long', params: { maxCount: 8192, count: 8193 } },
  ]);
});

test('a map with more entries than its limit has a fault', () => {
  expect(entryFaults('labels', { a: 1, b: 2 }, 2)).toEqual([]);
  expect(entryFaults('labels', { a: 1, b: 2, c: 3 }, 2)).toMatchObject([{ params: { maxCount: 2, count: 3 } }]);
});

test.each([
  ['Accept', true],
  ['user-agent', true],
  ['CONTENT-TYPE', true],
  ['Authorization', false],
  ['Cookie', false],
  ['X-Api-Key', false],
  ['X-Team', false],
  ['Proxy-Authorization', false],
  ['', false],
])('the value of the header %s may be shown: %s', (name, shown) => expect(isPlainHeader(name)).toBe(shown));
