import { expect, test } from 'vitest';
import { asciiHostName, disguisesHost } from './host.ts';

test.each([
  ['Example.COM', 'example.com'],
  ['example.com.', 'example.com.'],
  ['localhost', 'localhost'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ['ｅxample.com', 'example.com'],
  ['a_b', 'a_b'],
  ['-a-', '-a-'],
  ['192.0.2.1', '192.0.2.1'],
  ['0x7f.1', '127.0.0.1'],
  ['10.1', '10.0.0.1'],
  ['::1', '[::1]'],
  ['[::1]', '[::1]'],
  ['2001:DB8:0:0::1', '[2001:db8::1]'],
  ['fe80::1%eth0', '[fe80::1]'],
  ['[fe80::1%eth0]', '[fe80::1]'],
  [`${'x'.repeat(63)}.example`, `${'x'.repeat(63)}.example`],
])('the ASCII form of %s is %s', (given, expected) => expect(asciiHostName(given)).toBe(expected));

test.each([
  '',
  '.',
  'a..b',
  '.a',
  'a b',
  'a/b',
  'a?b',
  'a#b',
  'ada@a',
  'a\\b',
  'a:80',
  '[::1]:80',
  '[::1',
  '::1]',
  ':::1',
  '1.2.3.4.5',
  '256.1.1.1',
  '*.example.com',
  'a!b',
  'a%2eb',
  'a\u200bb',
  'a\tb',
  'x'.repeat(64),
  `${'x'.repeat(62)}.`.repeat(4) + 'xx.example',
])('the text %j is not a host', (given) => expect(asciiHostName(given)).toBeNull());

test.each([
  ['http://a.example/', false],
  ['http://ada:h%20ush@a.example/%20', false],
  ['http://a%2eexample/', true],
  ['http://ada@a\u00adb.example/', true],
  ['http://a.example?x=%20', false],
  ['http:\\\\a%2eexample', false],
  ['a%2eexample', false],
])('the address %s disguises its host: %s', (address, expected) => expect(disguisesHost(address)).toBe(expected));
