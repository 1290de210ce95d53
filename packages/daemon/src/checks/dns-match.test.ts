import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordMatches } from './dns-match.ts';

test.each([
  ['A', '1.2.3.4', '1.2.3.4', true],
  ['A', '11.2.3.45', '1.2.3.4', false],
  ['A', '1.2.3.4', ' 1.2.3.4 ', true],
  ['A', '1.2.3.4', '1.2.3', false],
  ['AAAA', '2001:db8::1', '2001:DB8::1', true],
  ['AAAA', '2001:db8::1', '2001:0db8:0:0:0:0:0:1', true],
  ['AAAA', '2001:db8::1', '2001:db8::10', false],
  ['CNAME', 'www.example.com', 'WWW.Example.COM.', true],
  ['CNAME', 'www.example.com', 'example.com', false],
  ['CNAME', 'xn--bcher-kva.example', 'bücher.example', true],
  ['MX', '10 mail.example.com', 'mail.example.com', true],
  ['MX', '10 mail.example.com', '10 Mail.example.com.', true],
  ['MX', '10 mail.example.com', '20 mail.example.com', false],
  ['MX', '10 mail.example.com', 'example.com', false],
  ['MX', '0 .', '0 .', true],
  ['TXT', 'v=spf1 include:a -all', 'include:a', true],
  ['TXT', 'v=spf1 include:a -all', 'INCLUDE', false],
] as const)('for the %s record %j and the expected value %j, the result is %s', (type, record, expected, matches) => {
  expect(recordMatches(type, record, expected)).toBe(matches);
});

test('an address matches itself in any notation, and matches no other address', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (a, b) => {
      const canonical = (address: string) => new URL(`http://[${address}]/`).hostname;
      expect(recordMatches('AAAA', a, a.toUpperCase())).toBe(true);
      expect(recordMatches('AAAA', a, b)).toBe(canonical(a) === canonical(b));
    }),
  );
  fc.assert(fc.property(fc.ipV4(), fc.ipV4(), (a, b) => recordMatches('A', a, b) === (a === b)));
});

test('a name matches in any case, with or without its final dot; a TXT record matches by substring', () => {
  fc.assert(
    fc.property(fc.domain(), (name) => {
      expect(recordMatches('CNAME', name, `${name.toUpperCase()}.`)).toBe(true);
      expect(recordMatches('MX', `5 ${name}`, name)).toBe(true);
      expect(recordMatches('CNAME', name, `x${name}`)).toBe(false);
    }),
  );
  fc.assert(fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => recordMatches('TXT', a + b + c, b)));
});
